//! The alert rules of docs/alerts.yml over the real binary: each alert is caused, and its rule fires.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use layby::store::tables::{self, Job, Notice, Task};
use layby::store::{Store, WriteTx};
use uuid::Uuid;

use super::local::{seeded, spoil};
use super::{Running, layby, run, text};
use crate::support::alerts::{Reads, rules};
use crate::support::stores::store_in;

/// Starts a shop whose `/metrics` this test may read.
fn start(data: &Path, settings: &[(&str, &str)]) -> Running {
    let mut command = layby(data);
    command
        .env("LAYBY_SERVER__METRICS_ALLOW", "127.0.0.1")
        .envs(settings.iter().copied())
        .args(["serve", "--listen", "127.0.0.1:0"]);
    if settings.contains(&("LAYBY_CLOCK", "")) {
        command.env_remove("LAYBY_CLOCK");
    }
    Running::of(command)
}

async fn metrics(shop: &Running) -> Option<String> {
    let client = layby::integrations::http::client(None).unwrap();
    let answer = client
        .get(format!("{}/metrics", shop.url))
        .send()
        .await
        .ok()?;
    assert_eq!(answer.status().as_u16(), 200);
    Some(answer.text().await.unwrap())
}

/// Reads `/metrics` again until these alerts fire. `first` was read before the causes were there.
async fn wait_for_alerts(shop: &Running, first: &str, wanted: &[&str]) -> String {
    let began = Instant::now();
    loop {
        let now = metrics(shop).await.unwrap();
        let fires = Reads::new(first, Some(&now)).alerts();
        if wanted
            .iter()
            .all(|name| fires.iter().any(|own| own == name))
        {
            return now;
        }
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "{fires:?}\n{now}"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn write(
    data: &Path,
    write: impl Fn(&mut WriteTx<'_>) -> Result<(), layby::store::StoreError> + Send + 'static,
) {
    let store = Store::open(&store_in(data)).unwrap();
    store.write(write).await.unwrap();
}

/// Returns the text of `/metrics` with another value of one figure.
fn with(text: &str, name: &str, value: &str) -> String {
    let line = text
        .lines()
        .find(|line| line.split(' ').next() == Some(name));
    let line = line.unwrap_or_else(|| panic!("{name} isn't in\n{text}"));
    text.replacen(line, &format!("{name} {value}"), 1)
}

#[tokio::test(flavor = "multi_thread")]
async fn each_alert_fires_when_its_cause_is_there_and_none_in_a_shop_without_a_fault() {
    let folder = seeded();
    let data = folder.path();
    let mut fired = BTreeSet::new();

    // A shop without a fault.
    let small = [("LAYBY_SERVER__MIN_FREE_DISK", "1 MiB")];
    let shop = start(data, &small);
    let sound = metrics(&shop).await.unwrap();
    assert_eq!(
        Reads::new(&sound, Some(&sound)).alerts(),
        Vec::<String>::new(),
        "{sound}"
    );
    shop.signal("-HUP");
    let sound = metrics(&shop).await.unwrap();
    // These causes need a failing disk or gateway, so the figures are put in.
    for (name, value) in [
        ("layby_store_reopens_total", "1"),
        ("layby_collections_total{outcome=\"failed\"}", "5"),
        ("layby_store_bytes", "1e18"),
        ("layby_backup_age_seconds", "1e6"),
        ("layby_held", "1"),
    ] {
        let now = with(&sound, name, value);
        let alerts = Reads::new(&sound, Some(&now)).alerts();
        assert_eq!(alerts.len(), 1, "{name}: {alerts:?}");
        fired.extend(alerts);
    }
    drop(shop);

    // Jobs that fail, can't be read or have no subject; a mistake in the daily round; a full disk; no bucket.
    let now: DateTime<Utc> = crate::support::NOW.parse().unwrap();
    write(data, move |tx| {
        let notice = Task::MailNotice {
            address: "ann@example.org".to_string(),
            notice: Notice::PasswordChanged,
        };
        let gone = Task::Refund {
            refund: Uuid::from_u128(99),
        };
        tables::ACCOUNT_LETTERS.put(tx, &(now, Uuid::from_u128(1)), &Job::new(notice))?;
        tables::JOBS.put(tx, &(now, Uuid::from_u128(2)), &Job::new(gone.clone()))?;
        tables::COLLECTIONS.put(tx, &(now, Uuid::from_u128(3)), &Job::new(gone.clone()))?;
        let refused = tables::RefusedAddress {
            at: now,
            reason: String::new(),
        };
        tables::REFUSED_ADDRESSES.put(tx, &"bob@example.org".to_string(), &refused)?;
        tables::LAST_DAILY_RUN.delete(tx, &())?;
        // The calendar ends less than 30 days after this.
        let last = serde_json::json!({
            "vehicle": {
                "registration": "AB12 CDE", "make": null, "model": null, "colour": null, "fuel": null,
                "first_registered": null, "mot": null, "tax": null, "source": "sample",
            },
            "at": DateTime::<Utc>::MAX_UTC.timestamp_micros(),
        });
        tables::LOOKUPS.put(tx, &Uuid::nil(), &serde_json::from_value(last).unwrap())
    })
    .await;
    spoil(data, "collections", &[1, 0xc1]);
    spoil(data, "refused_addresses", &[1, 0xc1]);
    let mut faulty = vec![
        ("LAYBY_SERVER__MIN_FREE_DISK", "1000000 GiB"),
        ("LAYBY_MAIL__SMTP__HOST", "127.0.0.1"),
        ("LAYBY_MAIL__SMTP__PORT", "9"),
        ("LAYBY_MAIL__SMTP__SECURITY", "none"),
        ("LAYBY_DOCUMENTS__URL", "s3://documents"),
        ("LAYBY_DOCUMENTS__S3__ENDPOINT", "http://127.0.0.1:9"),
        ("LAYBY_DOCUMENTS__S3__KEY_ID", "key"),
        ("LAYBY_DOCUMENTS__S3__SECRET", "secret"),
    ];
    let shop = start(data, &faulty);
    let listed = run(layby(data).args(["mail", "list"]));
    assert!(
        text(&listed.stdout).contains("1 rows can't be read"),
        "{}",
        text(&listed.stdout)
    );
    let causes = [
        "LaybyWorkSetAside",
        "LaybyWorkFailing",
        "LaybyLoopRestarted",
        "LaybyRowsUnreadable",
        "LaybyBlobStoreAway",
        "LaybyDiskShort",
    ];
    wait_for_alerts(&shop, &sound, &causes).await;
    fired.extend(causes.map(str::to_string));
    let listed = run(layby(data).args(["jobs", "list"]));
    let listed = text(&listed.stdout);
    for line in [
        "  collections  unreadable  ",
        "  shop  refund  ",
        "  account_letters  mail a notice  ",
    ] {
        assert!(listed.contains(line), "{listed}");
    }
    let url = shop.url.clone();
    drop(shop);
    let client = layby::integrations::http::client(None).unwrap();
    assert!(client.get(format!("{url}/metrics")).send().await.is_err());
    fired.extend(Reads::new(&sound, None).alerts());
    // A stopped shop's jobs are listed and retried by the same command.
    let listed_again = run(layby(data).args(["jobs", "list"]));
    assert_eq!(text(&listed_again.stdout), listed);
    let retried = run(layby(data).args(["jobs", "retry", &Uuid::from_u128(2).to_string()]));
    assert_eq!(text(&retried.stdout), "1 jobs are tried now\n");
    let why = ["--why", "the test is over"];
    let id = Uuid::from_u128(3).to_string();
    let forgotten = run(layby(data).args(["jobs", "forget", &id]).args(why));
    assert!(forgotten.status.success(), "{}", text(&forgotten.stderr));

    // A clock that contradicts the store: no job runs, so due jobs are late.
    let early = Utc::now() - TimeDelta::days(100);
    write(data, move |tx| {
        let job = Job::new(Task::Refund {
            refund: Uuid::from_u128(99),
        });
        tables::JOBS.put(tx, &(early, Uuid::from_u128(5)), &job)?;
        tables::COLLECTIONS.put(tx, &(early, Uuid::from_u128(6)), &job)?;
        tables::NEWEST_WRITE.put(tx, &(), &early)
    })
    .await;
    faulty = vec![("LAYBY_CLOCK", "")];
    let shop = start(data, &faulty);
    let causes = ["LaybyClockWrong", "LaybyWorkLate", "LaybyCollectionLate"];
    wait_for_alerts(&shop, &sound, &causes).await;
    fired.extend(causes.map(str::to_string));

    let all: BTreeSet<String> = rules().into_iter().map(|rule| rule.name).collect();
    assert_eq!(fired, all);
}
