//! Settings of Global Payments and Smartpay Fuse, and secrets in files of their own.

use layby::config::GatewayName;

use super::{env, file, load, refusal};
use crate::support::production::{OWN_SITE, PRODUCTION};

const GLOBAL_PAYMENTS: &str = "[payments.globalpayments]
app_id = \"app-1\"
app_key = \"app-key-4242\"
account_name = \"transaction_processing\"
";

const SMARTPAY_FUSE: &str = "[payments.smartpayfuse]
profile_id = \"0FFEAFFB-8171-4F34-A22D-1CD38A28A384\"
access_key = \"00112233445566778899aabbccddeeff\"
secret_key = \"secret-4242\"
secret_key_expires = \"2028-11-23\"
rest_merchant_id = \"merchant\"
rest_key = \"key-1\"
rest_secret = \"NDI0Mg==\"
page_url = \"https://pay.fuse.example\"
";

/// Returns a section with one line changed or, if the key is new, added.
fn with(section: &str, line: &str) -> String {
    let key = line.split(' ').next().unwrap();
    let others = section
        .lines()
        .filter(|old| !old.starts_with(&format!("{key} ")));
    let others: Vec<&str> = others.collect();
    format!("{}\n{line}\n", others.join("\n"))
}

#[test]
fn each_gateway_is_complete_or_refused_by_the_name_of_what_is_missing() {
    let config = load(&file(&format!("{GLOBAL_PAYMENTS}{SMARTPAY_FUSE}")));
    let global = config.payments.globalpayments.as_ref().unwrap();
    assert_eq!(global.api_url, "https://apis.globalpay.com/ucp");
    let fuse = config.payments.smartpayfuse.as_ref().unwrap();
    assert_eq!(fuse.api_url, "https://api.smartpayfuse.barclaycard");
    assert!(!format!("{config:?}").contains("4242"));
    let none = load(&file("[payments.smartpayfuse]\nframe = false\n"));
    assert!(none.payments.globalpayments.is_none() && none.payments.smartpayfuse.is_none());

    let cases = [
        (
            GLOBAL_PAYMENTS,
            "app_key = \"\"",
            "payments.globalpayments.app_key must be given",
        ),
        (
            GLOBAL_PAYMENTS,
            "account_name = \"\"",
            "payments.globalpayments.account_name must be",
        ),
        (
            GLOBAL_PAYMENTS,
            "country = \"uk\"",
            "payments.globalpayments.country must be two",
        ),
        (
            GLOBAL_PAYMENTS,
            "api_url = \"http://a.example/ucp\"",
            "payments.globalpayments.api_url",
        ),
        (
            GLOBAL_PAYMENTS,
            "api_url = \"https://a.example/\"",
            "payments.globalpayments.api_url",
        ),
        (
            SMARTPAY_FUSE,
            "access_key = \"\"",
            "payments.smartpayfuse.access_key must be given",
        ),
        (
            SMARTPAY_FUSE,
            "secret_key = \"\"",
            "payments.smartpayfuse.secret_key must be given",
        ),
        (
            SMARTPAY_FUSE,
            "rest_key = \"\"",
            "payments.smartpayfuse.rest_key must be given",
        ),
        (
            SMARTPAY_FUSE,
            "rest_secret = \"4242\u{e9}\"",
            "payments.smartpayfuse.rest_secret must",
        ),
        (
            SMARTPAY_FUSE,
            "page_url = \"\"",
            "payments.smartpayfuse.page_url must be given",
        ),
        (
            SMARTPAY_FUSE,
            "page_url = \"https://a.example/pay\"",
            "payments.smartpayfuse.page_url",
        ),
        (
            SMARTPAY_FUSE,
            "rest_key_expires = \"soon\"",
            "payments.smartpayfuse.rest_key_expires",
        ),
        (
            SMARTPAY_FUSE,
            "previous_access_key = \"old\"",
            "payments.smartpayfuse.previous_access_key and previous_secret_key must be given",
        ),
        (
            SMARTPAY_FUSE,
            "decryption_key_id = \"key-2\"",
            "payments.smartpayfuse.encryption_certificate, decryption_key and decryption_key_id must",
        ),
        (
            SMARTPAY_FUSE,
            "encryption_certificate = \"4242\"",
            "payments.smartpayfuse.encryption_certificate must be empty, or an RSA certificate",
        ),
        (
            SMARTPAY_FUSE,
            "decryption_key = \"-----BEGIN PRIVATE KEY-----4242\"",
            "payments.smartpayfuse.decryption_key must be empty, or an RSA private key",
        ),
    ];
    for (section, line, start) in cases {
        let refused = refusal(&file(&with(section, line)));
        assert!(refused.starts_with(start), "{line}: {refused}");
        assert!(!refused.contains("4242"), "{line}: {refused}");
    }
    for (name, key) in [("globalpayments", "app_id"), ("smartpayfuse", "profile_id")] {
        let refused = refusal(&env(&[("LAYBY_PAYMENTS__GATEWAYS", name)]));
        let start = format!("payments.gateways names {name}, and payments.{name}.{key} is");
        assert!(refused.starts_with(&start), "{refused}");
    }
}

#[test]
fn in_production_each_gateway_takes_real_money() {
    let whole = format!("{PRODUCTION}{OWN_SITE}{GLOBAL_PAYMENTS}{SMARTPAY_FUSE}");
    assert!(load(&file(&whole)).is_production());
    let cases = [
        (
            GLOBAL_PAYMENTS,
            "test = true",
            "payments.globalpayments.test must be false",
        ),
        (
            GLOBAL_PAYMENTS,
            "api_url = \"https://apis.sandbox.globalpay.com/ucp\"",
            "payments.globalpayments.api_url must be empty",
        ),
        (
            SMARTPAY_FUSE,
            "test = true",
            "payments.smartpayfuse.test must be false",
        ),
        (
            SMARTPAY_FUSE,
            "api_url = \"https://a.example\"",
            "payments.smartpayfuse.api_url must be",
        ),
        (
            SMARTPAY_FUSE,
            "page_url = \"https://testsecureacceptance.cybersource.com\"",
            "payments.smartpayfuse.page_url must not be a test host",
        ),
    ];
    for (section, line, start) in cases {
        let settings = format!("{PRODUCTION}{OWN_SITE}{}", with(section, line));
        let refused = refusal(&file(&settings));
        assert!(refused.starts_with(start), "{line}: {refused}");
    }
    let eu = with(
        GLOBAL_PAYMENTS,
        "api_url = \"https://apis.eu.globalpay.com/ucp\"",
    );
    load(&file(&format!("{PRODUCTION}{OWN_SITE}{eu}")));
}

#[test]
fn a_frame_may_load_the_pages_of_its_own_gateway_alone() {
    let config = load(&file(&format!("{GLOBAL_PAYMENTS}{SMARTPAY_FUSE}")));
    let hosts = |gateway| config.payments.page_hosts(gateway);
    assert_eq!(
        hosts(GatewayName::GlobalPayments),
        [
            "https://apis.globalpay.com",
            "https://pay.realexpayments.com"
        ]
    );
    assert_eq!(
        hosts(GatewayName::SmartpayFuse),
        ["https://pay.fuse.example"]
    );
    assert!(hosts(GatewayName::Stripe).is_empty() && hosts(GatewayName::Sandbox).is_empty());
}

#[test]
fn a_secret_may_stand_alone_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("key"), "sk_live_4242\n").unwrap();
    std::fs::write(path("webhooks"), "whsec_1\nwhsec_2\n").unwrap();
    std::fs::write(path("wrong"), "pk_live_4242").unwrap();
    let section = |key: &str, more: &str| {
        let key = path(key);
        file(&format!(
            "[payments.stripe]\nsecret_key_file = {key:?}\n{more}"
        ))
    };
    let webhooks = format!("webhook_secrets_file = {:?}\n", path("webhooks"));
    let config = load(&section("key", &webhooks));
    let stripe = config.payments.stripe.as_ref().unwrap();
    assert_eq!(stripe.secret_key.expose(), "sk_live_4242");
    assert_eq!(stripe.webhook_secrets.len(), 2);

    let wrong = refusal(&section("wrong", ""));
    assert!(
        wrong.starts_with("payments.stripe.secret_key must be"),
        "{wrong}"
    );
    assert!(
        wrong.contains("wrong)") && !wrong.contains("4242"),
        "{wrong}"
    );
    let none = refusal(&section("none", ""));
    assert!(none.starts_with("can't read the settings file"), "{none}");
    let both = refusal(&section("key", "secret_key = \"sk_live_0000\"\n"));
    assert!(
        both.starts_with("payments.stripe.secret_key_file must be empty when"),
        "{both}"
    );
}

#[test]
fn the_keys_of_the_encryption_may_stand_in_files() {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/smartpayfuse/encryption"
    );
    let exported = tempfile::NamedTempFile::new().unwrap();
    let key = std::fs::read_to_string(format!("{folder}/shop_key.pem")).unwrap();
    // `openssl pkcs12` writes attributes before a key.
    std::fs::write(
        exported.path(),
        format!("Bag Attributes\n    friendlyName: key\n{key}"),
    )
    .unwrap();
    let section = |certificate: &str| {
        let more = format!(
            "encryption_certificate_file = \"{folder}/{certificate}\"\ndecryption_key_file = {:?}\n\
             decryption_key_id = \"key-2\"\nrest_key_expires = \"2050-11-23\"\n",
            exported.path().display().to_string(),
        );
        file(&format!("{SMARTPAY_FUSE}{more}"))
    };
    let config = load(&section("fuse_certificate.pem"));
    let fuse = config.payments.smartpayfuse.unwrap();
    let certificate = fuse.encryption_certificate.as_ref().unwrap();
    assert_eq!(certificate.key_id, "1763683200000000000000");
    assert!(fuse.decryption_key.is_some());
    let warnings = |today: &str| fuse.key_warnings(today.parse().unwrap()).join(" ");
    assert!(!warnings("2036-09-24").contains("encryption_certificate"));
    let soon = warnings("2036-09-25");
    assert!(
        soon.contains("encryption_certificate expires on 2036-11-24"),
        "{soon}"
    );
    for other in ["fuse_key.pem", "short_certificate.pem"] {
        let refused = refusal(&section(other));
        let start =
            "payments.smartpayfuse.encryption_certificate must be empty, or an RSA certificate";
        assert!(refused.starts_with(start), "{other}: {refused}");
    }
    std::fs::copy(format!("{folder}/short_key.pem"), exported.path()).unwrap();
    let refused = refusal(&section("fuse_certificate.pem"));
    let rule = "payments.smartpayfuse.decryption_key must be empty, or an RSA private key of at least 2048 bits";
    assert!(refused.starts_with(rule), "{refused}");
}

#[test]
fn a_key_that_expires_soon_or_on_an_unknown_day_is_warned_of() {
    let warnings = |line: &str, today: &str| {
        let config = load(&file(&with(SMARTPAY_FUSE, line)));
        let fuse = config.payments.smartpayfuse.as_ref().unwrap();
        fuse.key_warnings(today.parse().unwrap()).join(" ")
    };
    // The REST key's day is missing.
    let both = "rest_key_expires = \"2029-11-23\"";
    assert_eq!(warnings(both, "2028-09-23"), "");
    let soon = warnings(both, "2028-09-24");
    assert!(soon.contains("secret_key expires on 2028-11-23"), "{soon}");
    assert!(warnings(both, "2029-12-01").contains("rest_key expires on 2029-11-23"));
    let unknown = warnings("rest_key_expires = \"\"", "2026-11-23");
    assert!(
        unknown.starts_with("payments.smartpayfuse.rest_key_expires is not given"),
        "{unknown}"
    );
}
