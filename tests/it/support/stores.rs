//! What tests read of a store, and small stores of each schema, kept as fixtures.

use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use futures_util::FutureExt;
use layby::store::{Index, Key, ReadTx, SCHEMA, Store, StoreError, WriteTx};

/// What the store holds now. A read of the embedded engine is done when it is first polled.
pub fn snapshot(store: &Store) -> ReadTx {
    let read = store.read(|tx| Ok::<_, StoreError>(tx.clone()));
    match read.now_or_never() {
        Some(view) => view.unwrap(),
        // In a database there is no connection at hand, and one has to be made.
        None => store.inspect().unwrap(),
    }
}

/// Puts an index row that no row declares.
pub fn put_stray<K: Key>(
    tx: &mut WriteTx<'_>,
    index: &Index<K>,
    key: &K,
) -> Result<(), StoreError> {
    let (key, value) = index.stored(key, &())?;
    tx.put(key, value);
    Ok(())
}

/// The fixture of a schema, compressed.
pub fn fixture(schema: u32) -> PathBuf {
    let name = format!("tests/fixtures/stores/schema-{schema}.redb.gz");
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The bytes of the fixture's store.
pub fn bytes(schema: u32) -> Vec<u8> {
    unpacked(&fixture(schema))
}

/// A store of a build before the first release.
pub fn unreleased() -> Vec<u8> {
    unpacked(&fixture(SCHEMA).with_file_name("unreleased.redb.gz"))
}

fn unpacked(path: &Path) -> Vec<u8> {
    let packed = std::fs::File::open(path).unwrap();
    let mut bytes = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut bytes).unwrap();
    bytes
}

/// Where a data folder has its store.
pub fn store_in(data: &Path) -> PathBuf {
    data.join("layby.redb")
}
