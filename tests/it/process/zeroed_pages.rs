//! A lost page of the store reads as zeros. For any page, a start and a stop end with the shop's own message.

use std::io::{BufRead, BufReader, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Stdio;

use layby::store::{Direction, Read as _, Store, StoreError, WriteTx, tables};

use super::{layby, run, text};
use crate::support::stores;

const PAGE_BYTES: usize = 4096;
/// Number of pages tried with the binary, because an unoptimised start is slow.
const STARTS: usize = 16;

/// Returns a small store's bytes.
fn seeded_bytes() -> Vec<u8> {
    let data = tempfile::tempdir().unwrap();
    let few = ["seed", "--customers", "3", "--policies", "30"];
    assert!(run(layby(data.path()).args(few)).status.success());
    std::fs::read(stores::store_in(data.path())).unwrap()
}

/// Returns the pages that hold data.
fn pages(bytes: &[u8]) -> Vec<usize> {
    let pages = bytes.chunks(PAGE_BYTES).enumerate();
    let used = pages.filter(|(_, page)| page.iter().any(|byte| *byte != 0));
    used.map(|(number, _)| number).collect()
}

fn without(bytes: &[u8], page: usize) -> Vec<u8> {
    let mut zeroed = bytes.to_vec();
    zeroed[page * PAGE_BYTES..][..PAGE_BYTES].fill(0);
    zeroed
}

/// Opens the store, reads and writes it, and closes it.
fn use_store(path: &std::path::Path) -> Result<(), StoreError> {
    let store = Store::open(path)?;
    let used = futures_util::FutureExt::now_or_never(store.read(|tx| {
        let visit = &mut |_: &[u8], _: &[u8]| std::ops::ControlFlow::Continue(());
        tx.scan(&[], &[u8::MAX], Direction::Forward, visit)
    }));
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let put = |tx: &mut WriteTx<'_>| tables::COUNTERS.put(tx, &"test".to_string(), &1);
    let written = runtime.unwrap().block_on(store.write(put));
    let closed = store.close();
    used.unwrap().and(written).and(closed)
}

#[test]
fn no_page_that_is_zeroed_breaks_the_store_down_while_it_is_opened_used_or_closed() {
    let bytes = seeded_bytes();
    let folder = tempfile::tempdir().unwrap();
    let path = stores::store_in(folder.path());
    let mut damaged = 0;
    for page in pages(&bytes) {
        std::fs::write(&path, without(&bytes, page)).unwrap();
        let used = catch_unwind(AssertUnwindSafe(|| use_store(&path)));
        let used = used.unwrap_or_else(|_| panic!("page {page}: a panic"));
        if let Err(why) = used {
            damaged += 1;
            let is_known = matches!(
                why,
                StoreError::Damaged | StoreError::NoStore | StoreError::Closed
            );
            assert!(is_known, "page {page}: {why}");
        }
    }
    assert!(damaged > 10, "{damaged}");
}

#[test]
fn a_start_or_a_stop_over_a_zeroed_page_ends_with_one_sentence_that_names_the_check() {
    let bytes = seeded_bytes();
    let data = tempfile::tempdir().unwrap();
    let all = pages(&bytes);
    let mut refused = 0;
    for page in all.iter().step_by(all.len() / STARTS) {
        std::fs::write(stores::store_in(data.path()), without(&bytes, *page)).unwrap();
        let mut shop = layby(data.path())
            .args(["serve", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = std::thread::spawn({
            let mut log = shop.stderr.take().unwrap();
            move || {
                let mut text = Vec::new();
                log.read_to_end(&mut text).unwrap();
                text
            }
        });
        let mut lines = BufReader::new(shop.stdout.take().unwrap()).lines();
        if lines.next().is_some() {
            let mut kill = std::process::Command::new("kill");
            assert!(
                kill.args(["-TERM", &shop.id().to_string()])
                    .status()
                    .unwrap()
                    .success()
            );
        }
        let code = shop.wait().unwrap().code();
        let log = text(&log.join().unwrap());
        let end = log.lines().last().unwrap_or_default();
        match code {
            Some(0) => {}
            Some(1) if page == &0 => assert!(end.contains("is no store of layby"), "{log}"),
            Some(1) => {
                refused += 1;
                assert!(end.starts_with("layby: "), "page {page}: {log}");
                assert!(end.contains("`layby check`"), "page {page}: {log}");
            }
            other => panic!("page {page}: it ended with {other:?}: {log}"),
        }
    }
    assert!(refused > 0, "no start met a page that it needs");
}
