//! A store whose newest commit is damaged.

use std::fs;
use std::path::Path;

use layby::store::Store;
use redb::{Database, TableDefinition};

use super::{Running, layby, run, text};
use crate::support::stores;

/// Puts a row that belongs to no table.
fn put(db: &Database, row: &[u8]) {
    let write = db.begin_write().unwrap();
    let rows = TableDefinition::<&[u8], &[u8]>::new("rows");
    let mut rows = write.open_table(rows).unwrap();
    rows.insert(row, row).unwrap();
    drop(rows);
    write.commit().unwrap();
}

/// Leaves a store as after a kill, with one bit flipped in each page of its newest commit.
fn leave_damaged(data: &Path) {
    let made = tempfile::tempdir().unwrap();
    let path = stores::store_in(made.path());
    drop(Store::open(&path).unwrap());
    let db = Database::open(&path).unwrap();
    put(&db, &[250, 1]);
    let before = fs::read(&path).unwrap();
    put(&db, &[250, 2]);
    let mut newest = fs::read(&path).unwrap();
    for page in 1..newest.len() / 4096 {
        let page = page * 4096..(page + 1) * 4096;
        if before.get(page.clone()) != newest.get(page.clone()) {
            newest[page.start] ^= 2;
        }
    }
    fs::write(stores::store_in(data), newest).unwrap();
}

#[test]
fn a_start_that_takes_an_older_commit_says_so_and_a_check_said_it_before() {
    let data = tempfile::tempdir().unwrap();
    leave_damaged(data.path());
    let before = fs::read(stores::store_in(data.path())).unwrap();
    let checked = run(layby(data.path()).arg("check"));
    assert_eq!(checked.status.code(), Some(1));
    let said = text(&checked.stdout);
    assert!(
        said.starts_with("a page of the newest commit is damaged\n"),
        "{said}"
    );
    let warned = "the next start would take the commit before the newest, which is whole";
    assert!(said.contains(warned), "{said}");
    assert!(fs::read(stores::store_in(data.path())).unwrap() == before);

    let logs = tempfile::tempdir().unwrap();
    let log = logs.path().join("log");
    let mut serve = layby(data.path());
    serve
        .args(["serve", "--listen", "127.0.0.1:0"])
        .stderr(fs::File::create(&log).unwrap());
    let mut shop = Running::of(serve);
    shop.signal("-TERM");
    assert_eq!(shop.child.wait().unwrap().code(), Some(0));
    let log = fs::read_to_string(log).unwrap();
    assert!(log.contains("the one before it was taken"), "{log}");
}
