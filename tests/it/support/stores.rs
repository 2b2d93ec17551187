//! Reads of a store, and the fixtures: a small store of each schema.

use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use futures_util::FutureExt;
use layby::store::{Index, Key, ReadTx, SCHEMA, Store, StoreError, WriteTx};

/// Returns a snapshot of the store. A read of the embedded engine is ready at its first poll.
pub fn snapshot(store: &Store) -> ReadTx {
    let read = store.read(|tx| Ok::<_, StoreError>(tx.clone()));
    match read.now_or_never() {
        Some(view) => view.unwrap(),
        // A database has no open connection yet, so `inspect` makes one.
        None => store.inspect().unwrap(),
    }
}

/// Puts an index row without the row that it indexes.
pub fn put_stray<K: Key>(
    tx: &mut WriteTx<'_>,
    index: &Index<K>,
    key: &K,
) -> Result<(), StoreError> {
    let (key, value) = index.stored(key, &())?;
    tx.put(key, value);
    Ok(())
}

/// Returns the path of a schema's compressed fixture.
pub fn fixture(schema: u32) -> PathBuf {
    let name = format!("tests/fixtures/stores/schema-{schema}.redb.gz");
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Returns the bytes of a fixture's store.
pub fn bytes(schema: u32) -> Vec<u8> {
    unpacked(&fixture(schema))
}

/// Returns a store of a build before the first release.
pub fn unreleased() -> Vec<u8> {
    unpacked(&fixture(SCHEMA).with_file_name("unreleased.redb.gz"))
}

fn unpacked(path: &Path) -> Vec<u8> {
    let packed = std::fs::File::open(path).unwrap();
    let mut bytes = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut bytes).unwrap();
    bytes
}

/// Returns the path of the store in a data folder.
pub fn store_in(data: &Path) -> PathBuf {
    data.join("layby.redb")
}
