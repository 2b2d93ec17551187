//! The daily run of the real binary: started by the clock, completed despite kills.

use crate::support::stores::snapshot;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use layby::store::{Direction, Store, tables};

use super::{Running, layby, run};

/// Returns the status of each policy and each renewal after the daily run. The key is the policy's id, and
/// whether the status is its renewal's. Returns `None` while the run is not done.
fn day_done(data: &Path, day: &str) -> Option<BTreeMap<(String, bool), u32>> {
    let store = Store::open(&data.join("layby.redb")).unwrap();
    let tx = snapshot(&store);
    let last = tables::LAST_DAILY_RUN.get(&tx, &()).unwrap()?;
    if last.to_string() != day {
        return None;
    }
    let mut found = BTreeMap::new();
    let quotes = tables::QUOTES.list(&tx, &(), Direction::Forward, usize::MAX);
    for (uuid, quote) in quotes.unwrap() {
        let id = quote.renews.unwrap_or(uuid).to_string();
        let twice = found.insert((id, quote.renews.is_some()), quote.status.id());
        assert_eq!(twice, None, "a policy has one renewal");
    }
    Some(found)
}

/// Kills the shop repeatedly during the daily run, after it was closed for months. The result equals that of
/// an undisturbed run.
#[tokio::test(flavor = "multi_thread")]
async fn a_days_work_that_was_killed_is_done_to_its_end_by_the_next_start() {
    let [calm, killed] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    run(layby(calm.path()).args(["seed", "--customers", "5", "--policies", "600"]));
    let store = "layby.redb";
    std::fs::copy(calm.path().join(store), killed.path().join(store)).unwrap();
    let work = async |data: &Path| {
        for _ in 0..50 {
            let shop = Running::start_at("2027-05-21T04:00:00Z", data, &[]);
            tokio::time::sleep(Duration::from_millis(700)).await;
            drop(shop);
            if let Some(done) = day_done(data, "2027-05-21") {
                return done;
            }
        }
        panic!("the day's work was not done");
    };
    let expected = work(calm.path()).await;
    let renewals = expected.keys().filter(|(_, renewal)| *renewal).count();
    assert!(renewals > 50, "{renewals}");
    for after in [0, 10, 30, 60, 100] {
        let shop = Running::start_at("2027-05-21T04:00:00Z", killed.path(), &[]);
        tokio::time::sleep(Duration::from_millis(after)).await;
        drop(shop);
    }
    assert_eq!(work(killed.path()).await, expected);
}

/// The binary alone quotes a renewal on its day, and mails it.
#[tokio::test(flavor = "multi_thread")]
async fn a_clock_four_weeks_before_the_end_quotes_the_renewal() {
    let data = tempfile::tempdir().unwrap();
    run(layby(data.path()).args(["seed", "--customers", "3", "--policies", "60"]));
    let (policy, renew_from) = {
        let store = Store::open(&data.path().join("layby.redb")).unwrap();
        let tx = snapshot(&store);
        let due = tables::POLICY_BY_RENEWAL.list(&tx, &(), Direction::Forward, 1);
        let ((day, policy), ()) = due.unwrap().remove(0);
        (tables::QUOTES.get(&tx, &policy).unwrap().unwrap(), day)
    };
    let shop = Running::start_at(&format!("{renew_from}T04:00:00Z"), data.path(), &[]);
    let about = format!("policy {}", policy.reference);
    for _ in 0..200 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let Ok(letters) = std::fs::read_dir(data.path().join("mail")) else {
            continue;
        };
        let mut letters = letters.map(|file| std::fs::read_to_string(file.unwrap().path()));
        if letters.any(|letter| letter.unwrap().contains(&about)) {
            drop(shop);
            return;
        }
    }
    panic!("nobody was told of the renewal");
}
