//! Commands to a running shop, over a socket that only its owner may open.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use layby::store::TABLES;
use redb::{ReadableTable, TableDefinition};

use super::{Running, layby, run, text};
use crate::support::stores;

fn socket(data: &Path) -> PathBuf {
    data.join("layby.sock")
}

/// Sends one line to the shop. Returns the lines of its response.
fn asked(data: &Path, question: &[u8]) -> Vec<String> {
    let mut stream = UnixStream::connect(socket(data)).unwrap();
    stream.write_all(question).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    BufReader::new(stream).lines().map(Result::unwrap).collect()
}

pub(super) fn seeded() -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    let few = ["seed", "--customers", "2", "--policies", "6"];
    assert!(run(layby(data.path()).args(few)).status.success());
    data
}

/// Replaces the value of the first row of a table.
pub(super) fn spoil(data: &Path, table: &str, value: &[u8]) {
    let table = TABLES.iter().find(|other| other.name() == table);
    let number = table.unwrap().number();
    let rows = TableDefinition::<&[u8], &[u8]>::new("rows");
    let db = redb::Database::open(stores::store_in(data)).unwrap();
    let write = db.begin_write().unwrap();
    {
        let mut rows = write.open_table(rows).unwrap();
        let mut range = rows
            .range::<&[u8]>(&[number][..]..&[number + 1][..])
            .unwrap();
        let key = range.next().unwrap().unwrap().0.value().to_vec();
        drop(range);
        rows.insert(&key[..], value).unwrap();
    }
    write.commit().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_shop_is_asked_over_a_socket_that_only_its_owner_may_open() {
    let data = seeded();
    // A socket left by a killed shop does not block the next one.
    drop(Running::start(data.path(), &[]));
    assert!(socket(data.path()).exists());
    let checked = run(layby(data.path()).arg("check"));
    assert!(checked.status.success(), "{}", text(&checked.stderr));

    let mut shop = Running::start(data.path(), &[]);
    let meta = std::fs::metadata(socket(data.path())).unwrap();
    assert!(meta.file_type().is_socket());
    assert_eq!(meta.permissions().mode() & 0o777, 0o600);

    let checked = run(layby(data.path()).arg("check"));
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    assert!(text(&checked.stdout).contains("rows are in order, and so are the indexes"));
    let answer = asked(data.path(), b"\"check\"\n");
    assert_eq!(answer.last().unwrap(), "\"done\"");
    // An unknown command, an endless line, and an empty input.
    for question in [&b"\"dance\"\n"[..], &[b'x'; 60_000], b""] {
        let answer = asked(data.path(), question);
        assert_eq!(answer.len(), 1, "{answer:?}");
        assert!(answer[0].contains("failed"), "{answer:?}");
    }
    shop.signal("-TERM");
    assert_eq!(shop.child.wait().unwrap().code(), Some(0));
    assert!(!socket(data.path()).exists());
}

#[test]
fn a_check_names_each_row_that_is_wrong() {
    let data = seeded();
    let good = run(layby(data.path()).arg("check"));
    assert!(good.status.success(), "{}", text(&good.stderr));
    spoil(data.path(), "payments", &[9, 1]);
    spoil(data.path(), "quotes", &[1, 0xC1]);
    let bad = run(layby(data.path()).arg("check"));
    assert_eq!(bad.status.code(), Some(1));
    let said = text(&bad.stdout);
    assert!(
        said.contains("a row of table payments has version 9"),
        "{said}"
    );
    assert!(said.contains("a row of table quotes is wrong"), "{said}");
    let failed = text(&bad.stderr);
    assert!(failed.contains("2 mistakes"), "{failed}");

    // While a shop uses the store, only the number of rows may differ. The shop's daily run may have written
    // rows.
    let _shop = Running::start(data.path(), &[]);
    let running = run(layby(data.path()).arg("check"));
    assert_eq!(running.status.code(), Some(1));
    let named = |said: &str| -> Vec<String> {
        let lines = said.lines().filter(|line| line.contains("a row of table"));
        lines.map(str::to_string).collect()
    };
    assert_eq!(named(&text(&running.stdout)), named(&said));
    assert_eq!(named(&said).len(), 2);
}
