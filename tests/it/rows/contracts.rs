//! The indexes of a quote and its policy, whichever row is put.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use layby::domain::money::Pence;
use layby::domain::policy::renewal::{CardCharge, QuotedRenewal, RenewalStatus};
use layby::domain::policy::{Policy, ScheduledEvent};
use layby::domain::quote::{Origin, Quote, QuoteStatus, Revision};
use layby::store::{Direction, Index, Key, Store, WriteTx, tables};
use uuid::Uuid;

use crate::support::stores::snapshot;

const QUOTE: Uuid = Uuid::from_u128(1);
const OWNER: Uuid = Uuid::from_u128(2);

fn day(number: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, number).unwrap()
}

fn moment(number: u32) -> DateTime<Utc> {
    day(number).and_hms_opt(12, 0, 0).unwrap().and_utc()
}

fn quote() -> Quote {
    Quote {
        uuid: QUOTE,
        reference: "LB1".to_string(),
        product: "breakdown".to_string(),
        status: QuoteStatus::Quote,
        reason: None,
        current: Revision::none(moment(1)),
        tokens: Vec::new(),
        resume: Vec::new(),
        document_links: Vec::new(),
        created: moment(1),
        updated: moment(1),
        expires: Some(moment(20)),
        accepted: None,
        exclusion_answers: BTreeMap::default(),
        shown_to: Vec::new(),
        holder_name: String::new(),
        owner: None,
        mailbox: Some("ann@example.org".to_string()),
        partner: None,
        origin: Origin::default(),
        renews: None,
        versions: Vec::new(),
    }
}

fn policy() -> Policy {
    Policy {
        uuid: QUOTE,
        revision: 1,
        inception: day(2),
        expiry: day(28),
        cover_begins: moment(2),
        purchased: moment(1),
        payment: Uuid::nil(),
        instrument: None,
        charging_stopped: None,
        paid: Pence(100),
        auto_renew: false,
        renews_at_once: false,
        registrations: vec!["AB12 CDE".to_string()],
        cancellation: None,
        renewal: RenewalStatus::Due { on: day(7) },
        scheduled_change: None,
        scheduled_end: None,
    }
}

/// Returns the first parts of the keys of an index.
fn keys<A: Key>(store: &Store, table: &Index<(A, Uuid)>) -> Vec<A> {
    let tx = snapshot(store);
    let rows = table.list(&tx, &(), Direction::Forward, 10).unwrap();
    rows.into_iter().map(|((key, _), ())| key).collect()
}

async fn put(store: &Store, quote: &Quote, policy: Option<&Policy>) {
    let (quote, policy) = (quote.clone(), policy.cloned());
    let write = move |tx: &mut WriteTx<'_>| {
        if let Some(policy) = &policy {
            tables::POLICIES.put(tx, &policy.uuid, policy)?;
        }
        tables::QUOTES.put(tx, &quote.uuid, &quote)
    };
    store.write(write).await.unwrap();
}

#[tokio::test]
async fn a_quote_and_its_policy_are_found_by_what_they_say_now_and_by_nothing_else() {
    let store = Store::in_memory().unwrap();
    let (mut quote, mut policy) = (quote(), policy());
    let new = quote.clone();
    let insert = move |tx: &mut WriteTx<'_>| tables::QUOTES.put_new(tx, &new.uuid, &new);
    store.write(insert).await.unwrap();
    let unclaimed = keys(&store, &tables::UNCLAIMED_BY_NAME);
    assert_eq!(unclaimed, ["ann@example.org"]);
    assert_eq!(keys(&store, &tables::QUOTE_BY_SAVED), [day(1)]);
    assert_eq!(keys(&store, &tables::QUOTE_BY_EXPIRY), [moment(20)]);

    // Claimed, and saved with another price.
    quote.owner = Some(OWNER);
    quote.expires = Some(moment(21));
    put(&store, &quote, None).await;
    assert!(keys(&store, &tables::UNCLAIMED_BY_NAME).is_empty());
    assert!(keys(&store, &tables::QUOTE_BY_SAVED).is_empty());
    assert_eq!(keys(&store, &tables::QUOTE_BY_EXPIRY), [moment(21)]);
    let entry = |store: &Store| {
        let tx = snapshot(store);
        tables::QUOTE_BY_OWNER.get(&tx, &(OWNER, QUOTE)).unwrap()
    };
    assert_eq!(entry(&store).unwrap().expiry, None);

    // Bought.
    quote.status = QuoteStatus::Live;
    put(&store, &quote, Some(&policy)).await;
    assert!(keys(&store, &tables::QUOTE_BY_EXPIRY).is_empty());
    assert_eq!(keys(&store, &tables::POLICY_BY_EXPIRY), [day(28)]);
    assert_eq!(keys(&store, &tables::POLICY_BY_RENEWAL), [day(7)]);
    let registrations = keys(&store, &tables::POLICY_BY_REGISTRATION);
    assert_eq!(registrations, ["AB12CDE"]);
    assert_eq!(keys(&store, &tables::POLICY_BY_REFERENCE), ["LB1"]);
    assert_eq!(entry(&store).unwrap().expiry, Some(day(28)));

    // Adjusted to another vehicle, and its renewal quoted: only the policy is put.
    policy.registrations = vec!["XY34 ZZZ".to_string()];
    policy.renewal = RenewalStatus::Quoted(QuotedRenewal {
        quote: Uuid::from_u128(3),
        follows: 1,
        notice: None,
        card: CardCharge::None,
        scheduled_change: None,
    });
    policy.scheduled_change = Some(ScheduledEvent {
        id: Uuid::from_u128(4),
        on: day(20),
    });
    policy.scheduled_end = Some(ScheduledEvent {
        id: Uuid::from_u128(5),
        on: day(25),
    });
    let changed = policy.clone();
    let change = move |tx: &mut WriteTx<'_>| tables::POLICIES.put(tx, &changed.uuid, &changed);
    store.write(change).await.unwrap();
    let registrations = keys(&store, &tables::POLICY_BY_REGISTRATION);
    assert_eq!(registrations, ["XY34ZZZ"]);
    assert!(keys(&store, &tables::POLICY_BY_RENEWAL).is_empty());
    assert_eq!(keys(&store, &tables::POLICY_BY_SCHEDULED_DAY), [day(20)]);

    // The change is applied, and the cancellation remains. While it is scheduled, no renewal is due.
    policy.scheduled_change = None;
    policy.renewal = RenewalStatus::Due { on: day(7) };
    let changed = policy.clone();
    let change = move |tx: &mut WriteTx<'_>| tables::POLICIES.put(tx, &changed.uuid, &changed);
    store.write(change).await.unwrap();
    assert_eq!(keys(&store, &tables::POLICY_BY_SCHEDULED_DAY), [day(25)]);
    assert!(keys(&store, &tables::POLICY_BY_RENEWAL).is_empty());

    // Cancelled: only the quote is put.
    quote.status = QuoteStatus::Cancelled;
    put(&store, &quote, None).await;
    assert!(keys(&store, &tables::POLICY_BY_REGISTRATION).is_empty());
    assert!(keys(&store, &tables::POLICY_BY_REFERENCE).is_empty());
    assert!(keys(&store, &tables::POLICY_BY_EXPIRY).is_empty());
    assert!(keys(&store, &tables::POLICY_BY_SCHEDULED_DAY).is_empty());
    assert_eq!(entry(&store).unwrap().status, QuoteStatus::Cancelled);
}
