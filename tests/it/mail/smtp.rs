//! Letters sent to an SMTP server from another project.

use crate::support::stores::snapshot;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use layby::integrations::mail::{MailError, Mailer, Outgoing};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::server::{Server, certificates, encrypted};
use super::{ID, LINK, headers, outgoing};
use crate::support::{Shop, two_vehicles_with};

/// Returns a mailer for the server at `port`, with more settings of `[mail.smtp]`.
fn mailer(port: u16, more: &[(&str, &str)]) -> Mailer {
    let port = port.to_string();
    let mut settings = vec![
        ("SMTP__HOST", "localhost"),
        ("SMTP__PORT", port.as_str()),
        ("SMTP__TIMEOUT_SECONDS", "20"),
    ];
    settings.extend(more);
    super::mailer(&settings, std::path::Path::new("not-used"))
}

fn plain(more: &[(&str, &str)]) -> (Server, Mailer) {
    let server = Server::start(&json!({ "tls": "none" }));
    let mut settings = vec![("SMTP__SECURITY", "none")];
    settings.extend(more);
    let mailer = mailer(server.port, &settings);
    (server, mailer)
}

fn letter_to(name: &str) -> Outgoing {
    Outgoing {
        to: format!("{name}@example.org"),
        ..outgoing()
    }
}

/// Returns the reason of a temporary failure.
fn later(result: Result<(), MailError>) -> String {
    match result {
        Err(MailError::Unavailable(why)) => why,
        other => panic!("not worth trying again: {other:?}"),
    }
}

/// Returns the reason of a permanent failure.
fn refused(result: Result<(), MailError>) -> String {
    match result {
        Err(MailError::Refused(why)) => why,
        other => panic!("not refused: {other:?}"),
    }
}

/// Returns the path of the mail server's own authority, for the settings.
fn trusted(folder: &TempDir) -> String {
    folder.path().join("ca.pem").to_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_letter_arrives_as_it_was_written() {
    let (server, mailer) = plain(&[]);
    mailer.send(&outgoing()).await.unwrap();
    let heard = server.letter();
    assert_eq!(heard["from"], "help@layby.example");
    assert_eq!(heard["to"], json!(["ann@example.org"]));
    assert_eq!(heard["greeting"], "layby.example");
    let letter = heard["letter"].as_str().unwrap();
    assert!(letter.lines().any(|line| line == LINK), "{letter}");
    assert!(letter.contains("\r\n\r\n.\r\nA line that begins with a dot.\r\n"));
    let headers = headers(letter);
    for header in [
        &format!("Message-ID: <{ID}@layby.example>"),
        "Date: Sat, 21 Nov 2026 12:00:00 +0000",
        "Auto-Submitted: auto-generated",
    ] {
        assert!(headers.iter().any(|line| line == header), "{headers:?}");
    }
}

#[tokio::test]
async fn letters_follow_one_another_and_side_by_side() {
    let (server, mailer) = plain(&[]);
    for _ in 0..2 {
        mailer.send(&outgoing()).await.unwrap();
    }
    let (bea, cal) = (letter_to("bea"), letter_to("cal"));
    let (one, two) = tokio::join!(mailer.send(&bea), mailer.send(&cal));
    one.and(two).unwrap();
    let mut to: Vec<String> = (0..4)
        .map(|_| server.letter()["to"][0].as_str().unwrap().to_owned())
        .collect();
    to.sort();
    let everyone = ["ann", "ann", "bea", "cal"].map(|name| format!("{name}@example.org"));
    assert_eq!(to, everyone);
}

#[tokio::test]
async fn words_beyond_ascii_travel_quoted() {
    let (server, mailer) = plain(&[("FROM", "Z\u{fc}rich <help@example.org>")]);
    let mut mail = outgoing();
    mail.text = format!("30 \u{a3}:\n{LINK}\n");
    mailer.send(&mail).await.unwrap();
    let letter = server.letter()["letter"].as_str().unwrap().to_owned();
    assert!(letter.is_ascii() && !letter.contains("base64"), "{letter}");
    assert!(letter.contains("Content-Transfer-Encoding: quoted-printable"));
    assert!(letter.contains("30 =C2=A3:\r\n"));
    let whole = letter.replace("=\r\n", "").replace("=3D", "=");
    assert!(whole.lines().any(|line| line == LINK), "{letter}");
}

#[tokio::test]
async fn the_way_is_encrypted_by_starttls_and_from_the_first_byte() {
    let folder = tempfile::tempdir().unwrap();
    certificates(folder.path(), "localhost");
    for security in ["starttls", "tls"] {
        let server = Server::start(&encrypted(security, folder.path()));
        let ca = trusted(&folder);
        let mailer = mailer(
            server.port,
            &[("SMTP__SECURITY", security), ("SMTP__CA_FILE", &ca)],
        );
        mailer.send(&outgoing()).await.unwrap();
        assert_eq!(server.letter()["encrypted"], true, "{security}");
    }
}

#[tokio::test]
async fn it_logs_in_when_it_is_told_to() {
    let folder = tempfile::tempdir().unwrap();
    certificates(folder.path(), "localhost");
    let mut options = encrypted("starttls", folder.path());
    options["login"] = json!({ "username": "shop", "password": "open sesame" });
    let server = Server::start(&options);
    let ca = trusted(&folder);
    let with = |password: &str| {
        let login = [
            ("SMTP__CA_FILE", ca.as_str()),
            ("SMTP__USERNAME", "shop"),
            ("SMTP__PASSWORD", password),
        ];
        mailer(server.port, &login)
    };
    with("open sesame").send(&outgoing()).await.unwrap();
    assert_eq!(server.letter()["user"], "shop");

    // A wrong password is a fault of the settings, so the letter waits for a right one.
    let why = later(with("open barley").send(&outgoing()).await);
    assert_eq!(why, "logging in: the mail server answered 535 5.7.8");
    // A missing log-in is also a temporary failure.
    let without = mailer(server.port, &[("SMTP__CA_FILE", &ca)]);
    later(without.send(&outgoing()).await);
}

#[tokio::test]
async fn nothing_is_said_to_a_server_that_does_not_encrypt() {
    let server = Server::start(&json!({ "tls": "none", "login": {} }));
    let login = [("SMTP__USERNAME", "shop"), ("SMTP__PASSWORD", "open")];
    let why = later(mailer(server.port, &login).send(&outgoing()).await);
    assert!(why.starts_with("STARTTLS: "), "{why}");
    assert_eq!(server.stop(), Vec::<Value>::new());
}

#[tokio::test]
async fn nothing_is_said_to_a_server_with_a_strangers_certificate() {
    let (ours, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    certificates(ours.path(), "localhost");
    certificates(other.path(), "mail.example.org");
    let elsewhere = trusted(&other);
    for security in ["starttls", "tls"] {
        // First the mailer trusts no authority of the certificate. Last, the certificate is for another host.
        for (folder, ca) in [
            (&ours, ""),
            (&ours, elsewhere.as_str()),
            (&other, &elsewhere),
        ] {
            let server = Server::start(&encrypted(security, folder.path()));
            let settings = [("SMTP__SECURITY", security), ("SMTP__CA_FILE", ca)];
            let why = later(mailer(server.port, &settings).send(&outgoing()).await);
            assert!(why.contains("certificate"), "{why}");
            assert_eq!(server.stop(), Vec::<Value>::new(), "{security}");
        }
    }
}

#[tokio::test]
async fn a_mailbox_that_there_is_not_is_not_tried_again() {
    let (server, mailer) = plain(&[]);
    // Some servers check the mailbox only after the letter was sent.
    for (name, why) in [
        (
            "unknown",
            "naming the recipient: the mail server answered 550 5.1.1",
        ),
        (
            "moved",
            "naming the recipient: the mail server answered 551 5.1.6",
        ),
        (
            "gone",
            "handing over the letter: the mail server answered 550 5.1.1",
        ),
    ] {
        assert_eq!(refused(mailer.send(&letter_to(name)).await), why);
    }
    // The failure does not affect the next letter.
    mailer.send(&outgoing()).await.unwrap();
    assert_eq!(server.letter()["to"][0], "ann@example.org");
}

#[tokio::test]
async fn what_may_pass_is_tried_again() {
    let (server, mailer) = plain(&[]);
    for (name, code) in [
        ("greylisted", "451 4.7.1"),
        ("full", "452 4.2.2"),
        // The code is permanent, but the mailbox may be emptied later.
        ("overfull", "552 5.2.2"),
        // The code is permanent, but it asks for a log-in first.
        ("stranger", "530 5.7.0"),
        // The server is not configured to relay the shop's letters yet.
        ("relay", "550 5.7.1"),
        // The sender's domain is misconfigured, so the recipient's mailbox is not refused.
        ("fussy", "554 5.7.1"),
        ("sender", "550 5.1.8"),
        // The response gives no enhanced status code.
        ("terse", "550"),
    ] {
        let why = later(mailer.send(&letter_to(name)).await);
        assert!(why.ends_with(&format!("answered {code}")), "{name}: {why}");
        assert!(!why.contains('@'), "{why}");
    }
    later(mailer.send(&letter_to("cutoff")).await);
    mailer.send(&outgoing()).await.unwrap();
    assert_eq!(server.letter()["to"][0], "ann@example.org");
    assert_eq!(server.stop(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_server_that_is_not_there_is_tried_again() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let why = later(mailer(port, &[]).send(&outgoing()).await);
    assert!(why.starts_with("connecting: "), "{why}");
}

#[tokio::test]
async fn a_slow_server_holds_a_letter_no_longer_than_the_limit() {
    let quickly = [("SMTP__SECURITY", "none"), ("SMTP__TIMEOUT_SECONDS", "1")];
    let silent = Server::start(&json!({ "tls": "none" }));
    // This server sends its response slowly, byte by byte.
    let trickling = Server::start(&json!({ "trickle": true }));
    for server in [&silent, &trickling] {
        let mailer = mailer(server.port, &quickly);
        let began = Instant::now();
        let why = later(mailer.send(&letter_to("slow")).await);
        assert_eq!(why, "the mail server took longer than 1 s");
        assert!(began.elapsed() < Duration::from_secs(5));
    }
    // After a timeout the mailer opens a new connection.
    let mailer = mailer(silent.port, &quickly);
    mailer.send(&outgoing()).await.unwrap();
    assert_eq!(silent.letter()["to"][0], "ann@example.org");
}

#[test]
fn certificates_that_cannot_be_read_are_said_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem");
    let refusal = || {
        let env = [
            ("LAYBY_MAIL__SMTP__HOST", "localhost".to_owned()),
            ("LAYBY_MAIL__SMTP__CA_FILE", file.display().to_string()),
        ];
        let layers = layby::config::Layers {
            env: env.map(|(key, value)| (key.to_owned(), value)).to_vec(),
            ..Default::default()
        };
        let config = layby::config::Config::load(&layers).unwrap();
        match Mailer::new(&config.mail, folder.path()) {
            Ok(_) => panic!("accepted"),
            Err(error) => error.to_string(),
        }
    };
    assert!(refusal().starts_with("mail.smtp.ca_file: "));
    std::fs::write(&file, "not a certificate").unwrap();
    assert!(refusal().ends_with("holds no certificate in PEM"));
}

#[tokio::test]
async fn an_address_that_takes_no_mail_is_noted_and_left_alone() {
    use layby::store::tables;
    let server = Server::start(&json!({ "tls": "none" }));
    let settings = format!(
        "[mail.smtp]\nhost = \"localhost\"\nport = {}\nsecurity = \"none\"\n",
        server.port
    );
    let shop = Shop::configured(&settings).await;
    let save = |address: &str| {
        let product = two_vehicles_with("email_primary", json!(address));
        let shop = &shop;
        async move { shop.quote(&product).await }
    };
    let waiting = || shop.rows(&tables::QUOTE_LETTERS).len();
    let post_comes = || async {
        shop.clock.advance(chrono::TimeDelta::seconds(31));
        shop.work().await;
    };
    save("unknown@example.org").await;
    assert_eq!(waiting(), 1);
    post_comes().await;
    assert_eq!(waiting(), 0, "it is not tried again");
    let name = "unknown@example.org".to_string();
    let refused = shop.row(&tables::REFUSED_ADDRESSES, &name);
    assert!(refused.reason.contains("550"), "{}", refused.reason);
    assert!(!refused.reason.contains('@'), "{}", refused.reason);
    // The next quote is not mailed to that address either. Another customer's quote is mailed.
    save("unknown@example.org").await;
    save("ann@example.org").await;
    post_comes().await;
    assert_eq!(server.letter()["to"], json!(["ann@example.org"]));
    assert_eq!(waiting(), 0);
}

#[tokio::test]
async fn a_sender_that_is_not_in_order_silences_no_mailbox() {
    use layby::store::tables;
    let server = Server::start(&json!({ "tls": "none" }));
    let settings = format!(
        "[mail.smtp]\nhost = \"localhost\"\nport = {}\nsecurity = \"none\"\n",
        server.port
    );
    let shop = Shop::configured(&settings).await;
    let product = two_vehicles_with("email_primary", "relay@example.org");
    shop.quote(&product).await;
    let waiting = || shop.rows(&tables::QUOTE_LETTERS).len();
    // The letter is retried for a day, at growing intervals.
    let began = shop.clock.now();
    let mut tries = 0;
    while waiting() > 0 {
        shop.clock.advance(chrono::TimeDelta::minutes(30));
        shop.work().await;
        tries += 1;
        assert!(tries < 100, "it is given up");
    }
    let tried_for = shop.clock.now() - began;
    assert!(tried_for > chrono::TimeDelta::hours(23), "{tried_for}");
    let tx = snapshot(&shop.app.store);
    let name = "relay@example.org".to_string();
    assert!(tables::REFUSED_ADDRESSES.get(&tx, &name).unwrap().is_none());
    // The shop has given up the first letter, so the next quote gets its own letter.
    shop.quote(&product).await;
    assert_eq!(waiting(), 1);
}
