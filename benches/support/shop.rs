//! A shop over a store in a folder, with a clock that stands.

use std::path::Path;

use chrono::{DateTime, Utc};
use layby::app::App;
use layby::clock::Clock;
use layby::config::{Config, Layers};
use layby::integrations::blobs::BlobStore;
use layby::products::Catalogue;
use layby::store::{Repair, Store};

/// Size of the store's cache in a shop, in bytes.
const CACHE_BYTES: usize = 128 << 20;

pub async fn app(folder: &Path, now: DateTime<Utc>) -> App {
    let mut config = Config::load(&Layers::default()).unwrap();
    config.server.data = folder.to_owned();
    let url = "http://bench".to_string();
    let contents = BlobStore::from_settings(&config).unwrap();
    App::new(
        config,
        Store::open_watched(&folder.join("layby.redb"), CACHE_BYTES, Repair::default()).unwrap(),
        contents,
        Clock::fixed(now),
        Catalogue::load(None).unwrap(),
        url.clone(),
        url,
    )
    .await
    .unwrap()
}
