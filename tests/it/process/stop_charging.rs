//! `layby stop-charging` with a running and a stopped shop.

use std::path::Path;
use std::process::Output;

use chrono::{DateTime, Utc};
use layby::domain::policy::Policy;
use layby::domain::policy::plan::{PaymentPlan, PlanStatus};
use layby::store::{Direction, Store, tables};
use uuid::Uuid;

use super::{Running, layby, run, text};
use crate::support::NOW;
use crate::support::stores::{snapshot, store_in};

/// Returns the references and the ids of the policies whose card pays on a later day.
fn paying(data: &Path) -> Vec<(String, Uuid)> {
    let store = Store::open(&store_in(data)).unwrap();
    let tx = snapshot(&store);
    let plans = tables::PLANS.list(&tx, &(), Direction::Forward, usize::MAX);
    let plans = plans.unwrap().into_iter();
    let today = NOW.parse::<DateTime<Utc>>().unwrap().date_naive();
    let is_paying =
        |plan: &PaymentPlan| plan.status == PlanStatus::Active && plan.next_day() > Some(today);
    let paying = plans.filter(|(_, plan)| is_paying(plan));
    let quotes = paying.map(|(id, _)| tables::QUOTES.get(&tx, &id).unwrap().unwrap());
    quotes.map(|quote| (quote.reference, quote.uuid)).collect()
}

fn policy(data: &Path, id: Uuid) -> Policy {
    let store = Store::open(&store_in(data)).unwrap();
    tables::POLICIES
        .get(&snapshot(&store), &id)
        .unwrap()
        .unwrap()
}

fn stop(data: &Path, words: &[&str]) -> Output {
    run(layby(data).arg("stop-charging").args(words))
}

#[test]
fn the_charges_of_a_card_are_stopped_in_a_running_shop_and_a_stopped_one() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    let order = |number: &str| stop(data, &[number, "--by", "Jo Bloggs", "--why", "an estate"]);
    assert_eq!(
        order("BRK000000000").status.code(),
        Some(1),
        "there is no store"
    );
    let few = ["seed", "--customers", "4", "--policies", "120"];
    assert!(run(layby(data).args(few)).status.success());
    let paying = paying(data);
    for (is_running, (number, id)) in [false, true].into_iter().zip(&paying[..2]) {
        let number = number.as_str();
        let before = policy(data, *id);
        assert!(before.instrument.is_some() && before.charging_stopped.is_none());
        let shop = is_running.then(|| Running::start(data, &[]));
        for wrong in [
            &[number, "--by", "Jo"][..],
            &[number, "--why", "died"],
            &["--by", "Jo", "--why", "died"],
        ] {
            assert_eq!(stop(data, wrong).status.code(), Some(2), "{wrong:?}");
        }
        let unknown = order("BRK000000000");
        assert_eq!(unknown.status.code(), Some(1));
        let why = text(&unknown.stderr);
        assert!(
            why.contains("there is no live policy BRK000000000"),
            "{why}"
        );
        let nobody = stop(data, &[number, "--by", " ", "--why", "died"]);
        assert_eq!(nobody.status.code(), Some(1));
        let done = order(number);
        assert!(done.status.success(), "{}", text(&done.stderr));
        let line = format!("the card of {number} is not charged any more\n");
        assert_eq!(text(&done.stdout), line);
        let again = order(number);
        assert_eq!(again.status.code(), Some(1));
        let why = text(&again.stderr);
        assert!(why.contains("no card is charged for"), "{why}");
        let listed = run(layby(data).args(["export", "payments", "--status", "unresolved"]));
        let listed = text(&listed.stdout);
        let mut lines = listed.lines();
        let own = lines.find(|line| line.starts_with("plan,") && line.contains(number));
        assert!(
            own.is_some_and(|line| line.contains("No card can be charged")),
            "{listed}"
        );
        drop(shop);
        let after = policy(data, *id);
        assert!(after.instrument.is_none() && !after.auto_renew);
        let stopped = after.charging_stopped.unwrap();
        assert_eq!(
            (stopped.by.as_str(), stopped.why.as_str()),
            ("Jo Bloggs", "an estate")
        );
    }
    let checked = run(layby(data).arg("check"));
    assert!(checked.status.success(), "{}", text(&checked.stdout));
}
