//! Messages of the check are the shop's own words, whatever damage the store's file has.

use std::fs;
use std::path::Path;

use layby::store::{SCHEMA, Store};

use super::checked;
use crate::support::stores;

/// Returns the messages of opening and checking the store.
fn said(store: &Path) -> Vec<String> {
    let opened = Store::open(store).err().map(|why| why.to_string());
    let (mut said, checked) = checked(store);
    said.extend(opened);
    said.extend(checked.err().map(|why| why.to_string()));
    said
}

/// Words of the engine, a panic or the program's internals.
const STRANGE: [&str; 8] = [
    "redb",
    "panick",
    "orrupt",
    "B-tree",
    "Btree",
    "unwrap",
    "repair",
    "index out",
];

#[test]
fn a_file_that_was_cut_or_overwritten_is_spoken_of_in_words_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    let path = stores::store_in(folder.path());
    let good = stores::bytes(SCHEMA);
    let length = good.len();
    let mut spoilt = Vec::new();
    for part in 1..8 {
        spoilt.push(good[..length * part / 8].to_vec());
    }
    for cut in [1, 9, 63, 64, 320, 4095, 4096, 4097, 8192] {
        spoilt.push(good[..cut].to_vec());
        let mut zeroes = good.clone();
        zeroes[..cut].fill(0);
        spoilt.push(zeroes);
        let mut ones = good.clone();
        ones[length - cut..].fill(0xff);
        spoilt.push(ones);
    }
    // Bytes of the file's header, which holds the position of everything else.
    for at in (0..320).step_by(3) {
        let mut other = good.clone();
        other[at] ^= 0xff;
        spoilt.push(other);
    }
    let mut met = 0;
    for bytes in spoilt {
        fs::write(&path, &bytes).unwrap();
        for line in said(&path) {
            met += 1;
            let strange = STRANGE.iter().find(|word| line.contains(*word));
            assert_eq!(strange, None, "{line}");
        }
    }
    assert!(met > 100, "{met}");
}

#[test]
fn a_folder_where_the_file_should_be_is_said_to_be_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = stores::store_in(folder.path());
    fs::create_dir(&path).unwrap();
    let refused = Store::open(&path).err().unwrap().to_string();
    assert_eq!(
        refused,
        "there is a folder where the store's file should be"
    );
}

#[test]
fn a_file_that_is_gone_beside_documents_is_no_new_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = stores::store_in(folder.path());
    let documents = folder.path().join("documents");
    fs::create_dir(&documents).unwrap();
    fs::write(documents.join("store-id"), "1").unwrap();
    let refused = Store::open(&path).err().unwrap().to_string();
    let why = "there is no store, and the folder documents beside it says that there was one";
    assert!(refused.starts_with(why), "{refused}");
    assert!(!path.exists(), "none is made");
    fs::remove_file(documents.join("store-id")).unwrap();
    assert!(Store::open(&path).is_ok());
}

#[test]
fn an_empty_file_is_a_new_store_alone_and_refused_beside_other_data() {
    let folder = tempfile::tempdir().unwrap();
    let path = stores::store_in(folder.path());
    fs::write(&path, []).unwrap();
    fs::create_dir(folder.path().join("mail")).unwrap();
    for line in said(&path) {
        let why = "the store's file is empty, and mail beside it says that it was not always";
        assert!(line.starts_with(why), "{line}");
    }
    assert_eq!(fs::read(&path).unwrap().len(), 0, "nothing is put into it");
    fs::remove_dir(folder.path().join("mail")).unwrap();
    assert!(Store::open(&path).is_ok());
}
