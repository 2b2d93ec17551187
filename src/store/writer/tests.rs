//! Tests of a disk that fails and recovers.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use super::*;
use crate::store::engine::Read;
use crate::store::engine::location::StoreLocation;
use crate::store::{Disk, Memory, Repair};

/// A disk that becomes full, and may be freed again.
#[derive(Debug, Default)]
struct Full {
    rows: Memory,
    full: AtomicBool,
    /// Number of the next write, resize or sync that finds the disk full, counted from 1. 0 means none.
    full_after: AtomicU32,
    /// Duration of a refusal, and of a read, in milliseconds.
    slow: (AtomicU64, AtomicU64),
}

impl Full {
    fn room(&self) -> io::Result<()> {
        let after = self.full_after.load(Ordering::Relaxed);
        self.full_after
            .store(after.saturating_sub(1), Ordering::Relaxed);
        if self.full.load(Ordering::Relaxed) || after == 1 {
            wait(&self.slow.0);
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        Ok(())
    }
}

fn wait(milliseconds: &AtomicU64) {
    std::thread::sleep(Duration::from_millis(milliseconds.load(Ordering::Relaxed)));
}

impl Disk for Full {
    fn size(&self) -> io::Result<u64> {
        self.rows.size()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        wait(&self.slow.1);
        self.rows.read(offset, out)
    }
    fn resize(&self, size: u64) -> io::Result<()> {
        self.room()?;
        self.rows.resize(size)
    }
    fn sync(&self) -> io::Result<()> {
        self.room()?;
        self.rows.sync()
    }
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.room()?;
        self.rows.write(offset, bytes)
    }
}

struct Shop {
    disk: Arc<Full>,
    engine: Arc<Engine>,
    writer: Writer,
}

impl Shop {
    fn open(patience: Duration) -> Self {
        let disk = Arc::new(Full::default());
        let engine = Engine::open_at(StoreLocation::Disk(disk.clone()), Repair::default()).unwrap();
        let engine = Arc::new(engine);
        let writer = Writer::start(engine.clone(), patience).unwrap();
        Self {
            disk,
            engine,
            writer,
        }
    }

    async fn put(&self, key: u8) -> Result<(), StoreError> {
        let put = move |tx: &mut WriteTx<'_>| {
            tx.put(vec![key], vec![1]);
            Ok(())
        };
        self.writer.write(put).await
    }

    fn has(&self, key: u8) -> bool {
        self.engine
            .read()
            .unwrap()
            .get(&[key], &mut |_| {})
            .unwrap()
    }

    fn is_full(&self, full: bool) {
        self.disk.full.store(full, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn a_full_disk_refuses_writes_at_once_and_a_freed_one_takes_them() {
    let shop = Shop::open(Duration::from_secs(60));
    shop.put(1).await.unwrap();
    let before = shop.engine.read().unwrap();
    shop.is_full(true);
    let failed = shop.put(2).await.unwrap_err();
    assert!(matches!(failed, StoreError::Disk(_)), "{failed}");
    for _ in 0..3 {
        let refused = shop.put(3).await.unwrap_err();
        assert!(matches!(refused, StoreError::Closed), "{refused}");
    }
    shop.is_full(false);
    let mut tries = 0;
    while shop.put(4).await.is_err() {
        tries += 1;
        assert!(tries < 1000, "it isn't opened again");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(shop.has(1) && shop.has(4) && !shop.has(3));
    // A reader of the closed store gets the old rows, or an error.
    match before.get(&[4], &mut |_| {}) {
        Ok(found) => assert!(!found),
        Err(why) => assert!(matches!(why, StoreError::Closed), "{why}"),
    }
}

#[tokio::test]
async fn a_refusal_is_not_answered_before_the_batch_that_it_rests_on_is_kept() {
    let shop = Shop::open(Duration::from_secs(60));
    // While the first write runs, the others queue and share a batch.
    let (begin, started) = std::sync::mpsc::channel();
    let (go, queued) = std::sync::mpsc::channel();
    let queued = Mutex::new(queued);
    let first = shop.writer.write(move |_: &mut WriteTx<'_>| {
        begin.send(()).unwrap();
        let _ = queued.lock().unwrap().recv();
        Ok::<_, StoreError>(())
    });
    let disk = shop.disk.clone();
    let put = shop.writer.write(move |tx: &mut WriteTx<'_>| {
        disk.full.store(true, Ordering::Relaxed);
        tx.put(vec![2], vec![1]);
        Ok::<_, StoreError>(())
    });
    let refuse = shop.writer.write(|tx: &mut WriteTx<'_>| {
        let is_there = tx.get(&[2], &mut |_| {})?;
        assert!(is_there, "it shares the batch");
        Err::<(), _>(StoreError::NotEmpty)
    });
    let put = async {
        started.recv().unwrap();
        put.await
    };
    let go = async { go.send(()).unwrap() };
    let (first, put, refused, ()) = tokio::join!(first, put, refuse, go);
    first.unwrap();
    assert!(matches!(put, Err(StoreError::Disk(_))), "{put:?}");
    assert!(matches!(refused, Err(StoreError::Disk(_))), "{refused:?}");
}

#[tokio::test]
async fn a_disk_that_stays_full_is_given_up_and_dropping_the_store_ends_the_wait() {
    let shop = Shop::open(Duration::from_millis(250));
    shop.is_full(true);
    shop.put(1).await.unwrap_err();
    let why = shop.writer.wait_until_lost().await;
    assert!(matches!(why, StoreError::Disk(_)), "{why}");
    shop.put(2).await.unwrap_err();

    let shop = Shop::open(Duration::from_secs(600));
    shop.is_full(true);
    shop.put(1).await.unwrap_err();
    let began = Instant::now();
    drop(shop);
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_disk_that_takes_long_to_fail_is_given_up_in_the_same_time() {
    let shop = Shop::open(Duration::from_millis(300));
    shop.disk.slow.0.store(400, Ordering::Relaxed);
    shop.is_full(true);
    let began = Instant::now();
    shop.put(1).await.unwrap_err();
    shop.writer.wait_until_lost().await;
    // One try to reopen exceeds the patience, because the disk needs 400 ms to fail.
    assert!(began.elapsed() < Duration::from_millis(1500));
}

#[tokio::test]
async fn the_time_of_a_repair_does_not_count() {
    let shop = Shop::open(Duration::from_millis(300));
    let many = |tx: &mut WriteTx<'_>| {
        for key in 0..=u8::MAX {
            tx.put(vec![1, key], vec![1; 500]);
        }
        Ok::<_, StoreError>(())
    };
    shop.writer.write(many).await.unwrap();
    shop.disk.slow.1.store(20, Ordering::Relaxed);
    // The next write fails. Later, the disk's third write, resize or sync fails too.
    shop.is_full(true);
    shop.put(2).await.unwrap_err();
    shop.disk.full_after.store(3, Ordering::Relaxed);
    shop.is_full(false);
    let mut tries = 0;
    while shop.put(3).await.is_err() {
        tries += 1;
        assert!(tries < 1000, "it isn't opened again");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(shop.engine.repair().duration() > Duration::from_millis(300));
}
