//! A shop whose price list changes on a day.

use layby::products::{Catalogue, builtin};

use crate::support::Shop;

/// Returns a shop that sells breakdown cover by another price list from a given day.
pub async fn shop_with_prices(from: &str, changed: &[(&str, &str)]) -> Shop {
    let folder = tempfile::tempdir().unwrap();
    let mut next = builtin()[0].1.replace("2024-01-01", from);
    next = next.replace("version = \"2026.8\"", "version = \"2027.1\"");
    for (old, new) in changed {
        assert!(next.contains(old), "{old}");
        next = next.replace(old, new);
    }
    std::fs::write(folder.path().join("breakdown-2027.toml"), next).unwrap();
    let texts = include_str!("../../../src/products/breakdown.documents.toml");
    std::fs::write(folder.path().join("breakdown.documents.toml"), texts).unwrap();
    Shop::selling(Catalogue::load(Some(folder.path())).unwrap()).await
}
