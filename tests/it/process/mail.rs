//! `layby mail` with a running and a stopped shop.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::{Running, layby, run, text};
use crate::support::two_vehicles;

/// Returns the output of `layby mail`.
fn mail(data: &Path, words: &[&str]) -> String {
    let done = run(layby(data).arg("mail").args(words));
    assert!(done.status.success(), "{}", text(&done.stderr));
    text(&done.stdout)
}

/// Repeats the command until its output has the wanted text.
async fn says(data: &Path, words: &[&str], wanted: &str) -> String {
    for _ in 0..300 {
        let said = mail(data, words);
        if said.contains(wanted) {
            return said;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{words:?} doesn't say {wanted}: {}", mail(data, words));
}

#[tokio::test(flavor = "multi_thread")]
async fn letters_are_listed_and_tried_again_in_a_running_shop_and_a_stopped_one() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    let none = run(layby(data).args(["mail", "list"]));
    assert_eq!(none.status.code(), Some(1), "there is no store");
    let mut command = layby(data);
    command
        .args(["serve", "--listen", "127.0.0.1:0"])
        .env("LAYBY_MAIL__QUOTE_DELAY_SECONDS", "0")
        // No server listens there.
        .env("LAYBY_MAIL__SMTP__HOST", "127.0.0.1")
        .env("LAYBY_MAIL__SMTP__PORT", "9")
        .env("LAYBY_MAIL__SMTP__SECURITY", "none")
        .stderr(std::process::Stdio::null());
    let mut shop = Running::of(command);
    assert!(mail(data, &["list"]).starts_with("0 letters wait"));
    let quote = json!({ "product": two_vehicles() });
    let path = "/api/v2/public/quote/breakdown";
    let (status, _) = shop.call("POST", path, "", Some(quote)).await;
    assert_eq!(status, 201);
    let tried = says(data, &["list"], "after 2").await;
    assert!(
        tried.contains("quote_letters  a quote's link to ann@example.org"),
        "{tried}"
    );
    says(data, &["requeue"], "1 letters are tried now").await;
    let wrong = run(layby(data).args(["mail", "forget", "bob@example.org"]));
    assert_eq!(wrong.status.code(), Some(1));
    let why = text(&wrong.stderr);
    assert!(why.contains("there is no such address"), "{why}");

    shop.signal("-TERM");
    assert_eq!(shop.child.wait().unwrap().code(), Some(0));
    let listed = mail(data, &["list"]);
    assert!(listed.contains("1 letters wait"), "{listed}");
    let id = listed.split_whitespace().nth(1).unwrap();
    assert_eq!(mail(data, &["forget", id]), format!("{id} is forgotten\n"));
    assert!(mail(data, &["list"]).starts_with("0 letters wait"));
}
