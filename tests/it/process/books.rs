//! `layby reconcile` and the list of unresolved cases, with a running and a stopped shop.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Output;

use layby::domain::money::Pence;
use layby::store::{Direction, Store, tables};
use uuid::Uuid;

use super::{Running, layby, run, text};
use crate::support::stores::{self, snapshot};

/// Returns the paid payments of the store, with their amounts.
fn payments(data: &Path) -> Vec<(Uuid, Pence)> {
    let store = Store::open(&stores::store_in(data)).unwrap();
    let rows = tables::PAYMENTS.list(&snapshot(&store), &(), Direction::Forward, 100);
    let rows = rows.unwrap().into_iter();
    rows.filter(|(_, row)| row.is_applied())
        .map(|(id, row)| (id, row.amount))
        .collect()
}

fn reconcile(data: &Path, file: &Path) -> Output {
    let mut command = layby(data);
    run(command
        .arg("reconcile")
        .arg(file)
        .args(["--gateway", "sandbox"]))
}

fn unresolved(data: &Path, more: &[&str]) -> String {
    let mut command = layby(data);
    let done = run(command
        .args(["export", "payments", "--status", "unresolved"])
        .args(more));
    assert!(done.status.success(), "{}", text(&done.stderr));
    text(&done.stdout)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_taken_in_by_a_stopped_shop_and_a_running_one_and_what_is_wrong_is_listed() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    let file = data.join("payout.csv");
    fs::write(&file, "x").unwrap();
    let none = reconcile(data, &file);
    assert_eq!(none.status.code(), Some(1), "there is no store");
    let mut typo = layby(data);
    let typo = run(typo
        .arg("reconcile")
        .arg(&file)
        .args(["--gateway", "strpe"]));
    assert_eq!(typo.status.code(), Some(2));
    assert!(text(&typo.stderr).contains("there is no such gateway"));
    let few = ["seed", "--customers", "2", "--policies", "6"];
    assert!(run(layby(data).args(few)).status.success());
    let paid = payments(data);
    let mut report = "reference,gross,fee,net,kind,payout\n".to_string();
    for (id, amount) in &paid {
        let pounds = format!("{}.{:02}", amount.0 / 100, amount.0 % 100);
        writeln!(report, "{id},{pounds},0,{pounds},payment,po_1").unwrap();
    }
    writeln!(report, "=cmd(),1.00,0,1.00,payment,po_1").unwrap();
    fs::write(&file, &report).unwrap();
    let new = reconcile(data, &file);
    let all = paid.len();
    let disagrees = format!(
        "there are lines that don't agree with the books: 1 of {}",
        all + 1
    );
    assert_eq!(new.status.code(), Some(1));
    assert!(
        text(&new.stderr).contains(&disagrees),
        "{}",
        text(&new.stderr)
    );
    let wanted = format!("{} lines: {all} matched, of which {all} are new", all + 1);
    assert!(text(&new.stdout).contains(&wanted), "{}", text(&new.stdout));
    let listed = unresolved(data, &[]);
    let heading = "what,id,policy,gateway,reference,amount,since,facts,to_do";
    assert_eq!(listed.lines().next().unwrap(), heading);
    // Text from another party's file must not become a formula in a spreadsheet.
    assert!(listed.contains(",,sandbox,'=cmd(),1,"), "{listed}");

    let mut shop = Running::start(data, &[]);
    let again = reconcile(data, &file);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again.stderr).contains(&disagrees));
    let wanted = format!("{all} matched, of which 0 are new to the ledger, {all} were there");
    assert!(
        text(&again.stdout).contains(&wanted),
        "{}",
        text(&again.stdout)
    );
    assert_eq!(unresolved(data, &[]), listed);
    let lines = unresolved(data, &["--format", "jsonl"]);
    assert!(lines.contains("\"what\":\"payout line\""), "{lines}");

    for (bad, why) in [
        (
            &b"reference,gross,fee,net,kind,payout\n\xff,1,0,1,payment,p\n"[..],
            "line 2: it is not UTF-8 text",
        ),
        (
            b"reference,gross,fee,net,kind,payout\na,1,0,2,payment,p\n",
            "line 2: gross £1.00 less",
        ),
        (b"", "the first line must name the columns"),
    ] {
        fs::write(&file, bad).unwrap();
        let refused = reconcile(data, &file);
        assert_eq!(refused.status.code(), Some(1));
        let told = text(&refused.stderr);
        assert!(told.contains("payout.csv") && told.contains(why), "{told}");
    }
    let gone = reconcile(data, &data.join("nothing.csv"));
    assert!(text(&gone.stderr).contains("nothing.csv: it can't be read"));
    let nobody = Uuid::from_u128(404).to_string();
    let resolved = run(layby(data).args(["resolve", &nobody, "--by", "Jo", "--why", "paid"]));
    assert_eq!(resolved.status.code(), Some(1));
    let told = text(&resolved.stderr);
    assert!(
        told.contains("there is no such refund or payout line in"),
        "{told}"
    );
    let checked = run(layby(data).arg("check"));
    assert!(checked.status.success(), "{}", text(&checked.stdout));
    for words in [
        &["export", "payments"][..],
        &["export", "quotes", "--status", "unresolved"],
    ] {
        assert!(!run(layby(data).args(words)).status.success(), "{words:?}");
    }
    shop.signal("-TERM");
    assert_eq!(shop.child.wait().unwrap().code(), Some(0));
}
