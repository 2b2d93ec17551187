//! The commands that show settings and the state of the shop, and the search for the settings file.

use serde_json::{Value, json};

use super::{Running, layby, run, text};
use crate::support::two_vehicles;

#[test]
fn the_settings_file_is_found_and_what_is_in_force_is_shown_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let [named, given] = ["named.toml", "given.toml"].map(path);
    let section = |brand: &str| {
        format!(
            "[site]\nbrand = \"{brand}\"\n[payments.stripe]\nsecret_key = \"sk_test_sesame\"\ntest = true\n"
        )
    };
    std::fs::write(&named, section("Named")).unwrap();
    std::fs::write(&given, section("Given")).unwrap();
    let config = |more: &[&str]| {
        let mut command = layby(folder.path());
        command
            .env("LAYBY_CONFIG", &named)
            .env("LAYBY_SERVICE_HOST", "10.0.0.5");
        run(command.args(more).arg("config"))
    };
    for (more, brand, file) in [
        (&[][..], "Named", &named),
        (&["--config", &given], "Given", &given),
    ] {
        let shown = config(more);
        let said = text(&shown.stdout);
        assert!(shown.status.success(), "{}", text(&shown.stderr));
        let line = format!("site.brand = \"{brand}\"  # {file} line 2\n");
        assert!(said.contains(&line), "{said}");
        assert!(
            said.contains("payments.stripe.secret_key = [secret]"),
            "{said}"
        );
        assert!(!said.contains("sesame"), "{said}");
        assert!(
            said.contains("store.cache = \"128 MiB\"  # the default\n"),
            "{said}"
        );
        assert!(
            said.contains("# environment variable LAYBY_SERVER__DATA\n"),
            "{said}"
        );
    }
    // A value that can't be used is shown, and then refused.
    std::fs::write(&named, "[store]\ncache = \"0 MiB\"\n").unwrap();
    let refused = config(&[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stdout).contains("store.cache = \"0 MiB\""));
    assert!(text(&refused.stderr).contains("store.cache must be a size from 4 MiB"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_state_of_a_running_and_of_a_stopped_shop_is_one_screen() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    let status = |more: &[&str]| {
        let mut command = layby(data);
        // Only the settings of the store need to be right.
        command.env("LAYBY_LOG__FORMAT", "neither");
        run(command.arg("status").args(more))
    };
    assert_eq!(status(&[]).status.code(), Some(1), "there is no store");
    let version = run(layby(data).arg("--version"));
    assert_eq!(text(&version.stdout), "layby 0.1.0\n");
    let mut shop = Running::start(data, &[]);
    let quote = json!({ "product": two_vehicles() });
    let path = "/api/v2/public/quote/breakdown";
    let (created, _) = shop.call("POST", path, "", Some(quote)).await;
    assert_eq!(created, 201);
    let shown = status(&[]);
    let output = text(&shown.stdout);
    assert!(shown.status.success(), "{}", text(&shown.stderr));
    assert!(
        output.starts_with("layby       0.1.0, schema 1, running since 2026-11-21T"),
        "{output}"
    );
    for line in [
        "\nqueue       quote_letters: 1 wait, 0 of them failed, the oldest is 0 s late\n",
        "\nbackup      none yet\n",
        "\nset aside   none\n",
        "\nunresolved  0 (",
        "\ntoday       1 quotes, 0 sales of \u{a3}0.00, 0 refunds of \u{a3}0.00\n",
    ] {
        assert!(output.contains(line), "{line}: {output}");
    }
    assert!(output.lines().count() <= 24, "{output}");
    shop.signal("-TERM");
    assert_eq!(shop.child.wait().unwrap().code(), Some(0));
    let stopped = status(&["--json"]);
    let stopped: Value = serde_json::from_slice(&stopped.stdout).unwrap();
    assert_eq!(stopped["started"], Value::Null);
    assert_eq!(stopped["today"]["quotes"], 1);
    assert_eq!(stopped["backup"], Value::Null);
    let copy = data.join("copy.redb");
    let made = run(layby(data).arg("backup").arg(&copy));
    assert!(made.status.success(), "{}", text(&made.stderr));
    let output = text(&status(&[]).stdout);
    assert!(output.contains("\nbackup      of 2026-11-21T"), "{output}");
    let shown: Value = serde_json::from_slice(&status(&["--json"]).stdout).unwrap();
    assert_eq!(shown["backup"]["bytes"], copy.metadata().unwrap().len());
    assert!(stopped["store_bytes"].as_u64().unwrap() > 0);
}

#[test]
fn a_letter_shows_whether_the_mail_server_works() {
    let data = tempfile::tempdir().unwrap();
    let test = ["mail", "test", "ann@example.org"];
    let sent = run(layby(data.path()).args(test));
    assert!(sent.status.success(), "{}", text(&sent.stderr));
    assert!(text(&sent.stdout).contains("the letter is a file in the folder mail"));
    let letters = std::fs::read_dir(data.path().join("mail")).unwrap();
    assert_eq!(letters.count(), 1);
    let mut away = layby(data.path());
    away.env("LAYBY_MAIL__SMTP__HOST", "127.0.0.1")
        .env("LAYBY_MAIL__SMTP__PORT", "9");
    let refused = run(away.args(test));
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("connecting: "),
        "{}",
        text(&refused.stderr)
    );
}
