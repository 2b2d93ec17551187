//! A shop with a store in a database that requires a password.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use super::{Running, documents, layby, run, text};
use crate::support::database::{Server, client};
use crate::support::two_vehicles;

const PASSWORD: &str = "open sesame";

fn over(url: &str, data: &Path) -> Command {
    let mut command = layby(data);
    command
        .env("LAYBY_STORE__URL", url)
        .env("LAYBY_DOCUMENTS__URL", documents())
        .env("LAYBY_STORE__PASSWORD", PASSWORD);
    command
}

fn start(url: &str, data: &Path) -> Running {
    let mut command = over(url, data);
    command
        .args(["serve", "--listen", "127.0.0.1:0"])
        .stderr(Stdio::null());
    Running::of(command)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_over_a_database_is_filled_killed_checked_and_started_on_another_machine() {
    let Some(server) = Server::run() else { return };
    let role = format!(
        "CREATE ROLE guarded LOGIN PASSWORD '{PASSWORD}'; CREATE SCHEMA guarded AUTHORIZATION guarded"
    );
    client(&server.url)
        .await
        .batch_execute(&role)
        .await
        .unwrap();
    let url = server.url.replace("layby@", "guarded@");
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());

    let mut wrong = over(&url, here.path());
    let wrong = wrong
        .env("LAYBY_STORE__PASSWORD", "open barley")
        .arg("serve");
    let refused = run(wrong.env("LAYBY_LOG__LEVEL", "trace"));
    assert_eq!(refused.status.code(), Some(1));
    let said = text(&refused.stderr);
    let why = "layby: store.url: the store's database refuses the user or the password";
    assert_eq!(said.lines().last(), Some(why));
    assert!(!said.contains("barley"), "{said}");

    let few = ["seed", "--customers", "2", "--policies", "6"];
    let seeded = run(over(&url, here.path()).args(few));
    assert!(seeded.status.success(), "{}", text(&seeded.stderr));
    let shop = start(&url, here.path());
    let create = json!({ "product": two_vehicles() });
    let path = "/api/v2/public/quote/breakdown";
    let (status, made) = shop.call("POST", path, "", Some(create)).await;
    assert_eq!(status, 201, "{made}");
    let uuid = made["data"]["uuid"].as_str().unwrap();
    let token = made["data"]["consumer_token"].as_str().unwrap();
    let checked = run(over(&url, here.path()).arg("check"));
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    assert!(!here.path().join("layby.redb").exists());

    // While a shop runs, no command can open the store alone, but a second shop may join the cluster.
    let alone = run(over(&url, there.path()).arg("check"));
    let why = "layby: store.url: the store is in use by another layby";
    assert_eq!(text(&alone.stderr).lines().last(), Some(why));
    drop(start(&url, there.path()));
    drop(shop);
    let mut shop = start(&url, there.path());
    let path = format!("/api/v2/public/quote/read/{uuid}");
    let (status, read) = shop.call("GET", &path, token, None).await;
    assert_eq!(status, 200, "{read}");
    shop.signal("-TERM");
    assert_eq!(shop.child.wait().unwrap().code(), Some(0));
    let checked = run(over(&url, there.path()).arg("check"));
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    let said = text(&checked.stdout);
    assert!(
        said.contains("rows are in order, and so are the indexes"),
        "{said}"
    );
    assert!(!said.contains("pages"), "{said}");
}

fn copied(output: std::process::Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.starts_with("copied "), "{said}");
    said
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_is_copied_into_a_database_and_back_and_is_the_same() {
    let Some(server) = Server::run() else { return };
    let url = server.schema().await;
    let data = tempfile::tempdir().unwrap();
    let few = ["seed", "--customers", "3", "--policies", "9"];
    assert!(run(layby(data.path()).args(few)).status.success());
    let to = |to: &str| run(layby(data.path()).args(["migrate", "--to", to]));
    let there = copied(to(&url));
    // A database with content is not overwritten.
    let refused = to(&url);
    assert!(!refused.status.success());
    assert!(text(&refused.stderr).contains("--to: there is something already"));

    let file = data.path().join("back.redb");
    let back = || {
        let mut command = layby(data.path());
        command.env("LAYBY_STORE__URL", &url);
        command.env("LAYBY_DOCUMENTS__URL", documents());
        run(command.args(["migrate", "--to"]).arg(&file))
    };
    assert_eq!(copied(back()), there);
    assert!(!back().status.success(), "the file was there");
    std::fs::rename(&file, data.path().join("layby.redb")).unwrap();
    let checked = run(layby(data.path()).arg("check"));
    assert!(checked.status.success(), "{}", text(&checked.stderr));

    // An unfinished copy is no store, and the copy starts again.
    let database = client(&url).await;
    let broken =
        "DELETE FROM layby_rows WHERE key = '\\x00'; DELETE FROM layby_rows WHERE key > '\\x20'";
    database.batch_execute(broken).await.unwrap();
    let mut serve = layby(data.path());
    let refused = run(serve
        .env("LAYBY_STORE__URL", &url)
        .env("LAYBY_DOCUMENTS__URL", documents())
        .args(["seed", "--customers", "1"]));
    assert!(
        text(&refused.stderr).contains("was interrupted"),
        "{}",
        text(&refused.stderr)
    );
    assert_eq!(copied(to(&url)), there);
}
