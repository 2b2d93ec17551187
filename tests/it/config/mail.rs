//! Settings of letters to customers.

use layby::config::{Security, Sender};

use super::{env, file, load, pairs, refusal};
use crate::support::production::{OWN_SITE, PRODUCTION};

#[test]
fn mail_comes_from_the_shop_and_goes_to_a_folder_unless_a_server_is_named() {
    let mail = load(&env(&[("LAYBY_SITE__BRAND", "Rescue & Co")])).mail;
    let help = |name: &str, address: &str| Sender {
        name: name.to_owned(),
        address: address.to_owned(),
    };
    assert_eq!(mail.from, help("Rescue & Co", "help@layby.example"));
    assert_eq!(mail.host, "layby.example");
    assert!(mail.smtp.is_none());

    let mail = load(&env(&[
        ("LAYBY_SERVER__PUBLIC_URL", "http://[::1]:8080"),
        ("LAYBY_MAIL__FROM", "\"Help, at once\" <a@b.example.org>"),
        ("LAYBY_MAIL__SMTP__HOST", "mail.example.org"),
        ("LAYBY_MAIL__SMTP__USERNAME", "shop"),
        ("LAYBY_MAIL__SMTP__PASSWORD", "open sesame"),
    ]))
    .mail;
    assert_eq!(mail.from, help("Help, at once", "a@b.example.org"));
    assert_eq!(mail.host, "[::1]");
    assert!(!format!("{mail:?}").contains("sesame"));
    let smtp = mail.smtp.unwrap();
    assert_eq!((smtp.security, smtp.port), (Security::StartTls, 587));
    assert_eq!(smtp.timeout.as_secs(), 30);
    assert_eq!(smtp.password.unwrap().expose(), "open sesame");
}

#[test]
fn a_mail_server_has_the_usual_port_unless_another_is_given() {
    for (security, given, port) in [
        ("starttls", "0", 587),
        ("tls", "0", 465),
        ("none", "0", 25),
        ("tls", "2525", 2525),
    ] {
        let smtp = load(&env(&[
            ("LAYBY_MAIL__SMTP__HOST", "localhost"),
            ("LAYBY_MAIL__SMTP__SECURITY", security),
            ("LAYBY_MAIL__SMTP__PORT", given),
        ]))
        .mail
        .smtp;
        assert_eq!(smtp.unwrap().port, port, "{security} {given}");
    }
}

#[test]
fn production_mail_is_encrypted_and_can_be_answered() {
    let with = |from: &str, host: &str, security: &str| {
        let mut layers = file(&format!("{PRODUCTION}{OWN_SITE}"));
        layers.env = pairs(&[
            ("LAYBY_MAIL__FROM", from),
            ("LAYBY_MAIL__SMTP__HOST", host),
            ("LAYBY_MAIL__SMTP__SECURITY", security),
        ]);
        layers
    };
    let (ours, sample) = ("Us <help@example.org>", "Us <help@layby.example>");
    assert_eq!(
        load(&with(ours, "mail.example.org", "tls")).mail.host,
        "cover.example.org"
    );
    for loopback in ["localhost", "127.0.0.2", "::1"] {
        load(&with(ours, loopback, "none"));
    }
    load(&with(sample, "", "none"));
    let plain = refusal(&with(ours, "mail.example.org", "none"));
    assert!(
        plain.starts_with("mail.smtp.security must not be none"),
        "{plain}"
    );
    let sample = refusal(&with(sample, "mail.example.org", "starttls"));
    assert!(sample.starts_with("mail.from (or site.email"), "{sample}");
}
