//! The operator's settings: flags, environment variables and a file.

mod gateways;
mod mail;
mod partners;
mod refused;
mod secrets;

use layby::config::{Config, GatewayName, Layers, LogFormat, Mode, WebOrigin};

use crate::support::production::{OWN_SITE, PRODUCTION};

fn pairs(given: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    given.iter().map(owned).collect()
}

fn file(text: &str) -> Layers {
    Layers {
        file: Some(("shop.toml".to_owned(), text.to_owned())),
        ..Layers::default()
    }
}

fn env(given: &[(&str, &str)]) -> Layers {
    Layers {
        env: pairs(given),
        ..Layers::default()
    }
}

fn load(layers: &Layers) -> Config {
    Config::load(layers).unwrap_or_else(|error| panic!("refused: {error}"))
}

fn refusal(layers: &Layers) -> String {
    match Config::load(layers) {
        Ok(_) => panic!("accepted: {layers:?}"),
        Err(error) => error.to_string(),
    }
}

/// Parses lines of `NAME=value -> start of the refusal`.
fn variables_and_messages(table: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let lines = table.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| {
        let (given, message) = line.split_once(" -> ").unwrap();
        let (name, value) = given.trim_start().split_once('=').unwrap();
        (name, value, message)
    })
}

#[test]
fn the_defaults_alone_are_a_shop() {
    let config = load(&Layers::default());
    assert_eq!(config.mode, Mode::Development);
    assert_eq!(config.server.listen, "127.0.0.1:8080".parse().unwrap());
    assert_eq!(config.server.data.to_str(), Some("data"));
    assert_eq!(config.server.max_body_memory, 64 << 20);
    assert_eq!(config.server.min_free_disk, 256 << 20);
    assert_eq!(config.store.cache, 128 << 20);
    assert_eq!(config.log.format, LogFormat::Text);
    assert_eq!(config.payments.gateways, [GatewayName::Sandbox]);
    assert!(config.payments.sandbox.secret.is_none());
    assert!(config.tag_manager.is_none());
    assert!(config.site.reviews_frame.is_none());
    assert!(config.products.folder.is_none());
    assert_eq!(config.site.hours, "9am to 5pm Monday to Friday");
    assert_eq!(config.cookies.name, "layby_cookies");
    assert_eq!(config.accounts.login_redirect, "/dashboard");
    let rule = config.accounts.password;
    assert_eq!((rule.min_length, rule.max_length), (8, 20));
    assert!(rule.uppercase && rule.lowercase && rule.digit && rule.special && rule.no_whitespace);
}

#[test]
fn the_default_texts_are_complete_and_say_that_they_are_samples() {
    let site = load(&Layers::default()).site;
    assert_eq!(site.footer.len(), 2);
    assert!(
        site.footer
            .iter()
            .all(|text| text.starts_with("Sample text"))
    );
    assert!(site.footer[0].contains("authorised and regulated by the Financial Conduct Authority"));
    assert!(site.footer[1].contains("registered in England and Wales, company number"));
    assert!(site.complaints.contains("Financial Ombudsman Service"));
    assert!(site.complaints.contains("01632 960 123"));
    assert!(site.complaints.contains("help@layby.example"));
    let texts = site.footer.iter().chain([&site.complaints]);
    assert!(texts.into_iter().all(|text| !text.contains(['{', '}'])));
}

#[test]
fn flags_win_over_the_environment_over_the_file_over_the_defaults() {
    let mut layers = file(
        "[server]\nlisten = \"127.0.0.1:1\"\ndata = \"from-file\"\n\
         [site]\nbrand = \"From file\"",
    );
    layers.env = pairs(&[
        ("LAYBY_SERVER__LISTEN", "127.0.0.1:2"),
        ("LAYBY_SERVER__DATA", "from-environment"),
        ("PATH", "/bin"),
    ]);
    layers.flags = pairs(&[("server.listen", "127.0.0.1:3")]);
    let config = load(&layers);
    assert_eq!(config.server.listen.port(), 3);
    assert_eq!(config.server.data.to_str(), Some("from-environment"));
    assert_eq!(config.site.brand, "From file");
    assert!(config.site.footer[0].contains("From file is a trading name"));
    assert_eq!(config.site.phone, "01632 960 123");
}

#[test]
fn the_environment_carries_every_type() {
    let config = load(&env(&[
        ("LAYBY_MODE", "development"),
        ("LAYBY_LOG__FORMAT", "json"),
        ("LAYBY_SITE__LINKS__ABOUT_US", "/about"),
        ("LAYBY_ACCOUNTS__REMEMBER_DAYS", "7"),
        ("LAYBY_ACCOUNTS__PASSWORD__SPECIAL", "false"),
        ("LAYBY_SERVER__TRUSTED_PROXIES", "10.0.0.0/8, ::1"),
        ("LAYBY_SITE__FOOTER", r#"["One, and more.", "Two."]"#),
        ("LAYBY_PAYMENTS__GATEWAYS", ""),
        ("LAYBY_SKIP_UI", "1"),
    ]));
    assert_eq!(config.log.format, LogFormat::Json);
    assert_eq!(config.site.links.about_us, "/about");
    assert_eq!(config.accounts.remember_days, 7);
    assert!(!config.accounts.password.special);
    assert_eq!(config.server.trusted_proxies.len(), 2);
    assert_eq!(config.site.footer, ["One, and more.", "Two."]);
    assert!(config.payments.gateways.is_empty());
}

#[test]
fn production_is_strict() {
    let with = |more: &[(&str, &str)]| {
        let mut layers = file(&format!("{PRODUCTION}{OWN_SITE}"));
        layers.env = pairs(more);
        layers
    };
    let config = load(&with(&[]));
    assert!(config.is_production());
    let cases = "
        LAYBY_SERVER__PUBLIC_URL= -> server.public_url must be an https:// address
        LAYBY_SERVER__PUBLIC_URL=http://a.example -> server.public_url must be an https
        LAYBY_PAYMENTS__GATEWAYS=sandbox -> payments.gateways must not name sandbox
        LAYBY_PAYMENTS__GATEWAYS= -> payments.gateways must name a gateway that takes money
        LAYBY_PAYMENTS__STRIPE__SECRET_KEY= -> payments.gateways names stripe, and
        LAYBY_PAYMENTS__STRIPE__SECRET_KEY=sk_test_0000 -> payments.stripe.test must be true with
        LAYBY_PAYMENTS__STRIPE__TEST=true -> payments.stripe.test must be true with a key of
        LAYBY_PAYMENTS__STRIPE__API_URL=https://a.example -> payments.stripe.api_url must be empty
        LAYBY_PAYMENTS__STRIPE__WEBHOOK_SECRETS= -> payments.stripe.webhook_secrets must have
        LAYBY_CLOCK=2027-10-30T09:00:00Z -> LAYBY_CLOCK is refused
        LAYBY_MAIL__NONE=false -> mail.smtp.host must name a mail server
        LAYBY_SERVER__TRUSTED_PROXIES= -> server.trusted_proxies must name the proxy
    ";
    for (name, value, start) in variables_and_messages(cases) {
        let message = refusal(&with(&[(name, value)]));
        assert!(message.starts_with(start), "{name}={value}: {message}");
    }
}

#[test]
fn each_text_that_is_still_the_samples_is_refused_in_production_by_its_name() {
    let refused = refusal(&file(PRODUCTION));
    let start = "a shop in production mode needs texts of its own, and these are still samples: ";
    let keys = refused.strip_prefix(start).unwrap();
    assert_eq!(
        keys,
        "site.brand, site.phone, site.assistance_phone, site.email, site.footer, site.complaints, \
         site.postal_address, site.links.about_us, site.links.motor, site.links.contact, site.links.terms, \
         site.links.privacy, site.links.cookies, site.rating_badge.alt"
    );
    let defaults = load(&Layers::default()).site;
    // The text as written in the file, before the shop's number and address are filled in.
    let mut lines = include_str!("../../config.toml").lines();
    let complaints = lines.find_map(|line| line.strip_prefix("complaints = "));
    let complaints = complaints.unwrap().trim_matches('"');
    let own = |name: &str, value: &str| {
        let mut layers = file(&format!("{PRODUCTION}{OWN_SITE}"));
        layers.env = pairs(&[(name, value)]);
        layers
    };
    for (name, sample, key) in [
        ("LAYBY_SITE__BRAND", defaults.brand.as_str(), "site.brand"),
        ("LAYBY_SITE__PHONE", &defaults.phone, "site.phone"),
        ("LAYBY_SITE__COMPLAINTS", complaints, "site.complaints"),
        (
            "LAYBY_SITE__LINKS__TERMS",
            &defaults.links.terms,
            "site.links.terms",
        ),
    ] {
        let refused = refusal(&own(name, sample));
        assert_eq!(refused.strip_prefix(start), Some(key), "{refused}");
    }
    // One line of the sample address among others.
    let lines = "[\"Northern Cover Limited\", \"1 Example Street\"]";
    let refused = refusal(&own("LAYBY_SITE__POSTAL_ADDRESS", lines));
    assert_eq!(refused.strip_prefix(start), Some("site.postal_address"));
    // The specification's hours and a hidden badge don't count as samples.
    let config = load(&file(&format!("{PRODUCTION}{OWN_SITE}")));
    assert_eq!(config.site.hours, "9am to 5pm Monday to Friday");
}

#[test]
fn variables_of_container_services_are_ignored_and_misspelt_settings_are_not() {
    let set_by_services = [
        ("LAYBY_SERVICE_HOST", "10.0.0.5"),
        ("LAYBY_SERVICE_PORT", "8080"),
        ("LAYBY_SERVICE_PORT_HTTP", "8080"),
        ("LAYBY_PORT", "tcp://10.0.0.5:8080"),
        ("LAYBY_PORT_8080_TCP", "tcp://10.0.0.5:8080"),
        ("LAYBY_PORT_8080_TCP_PROTO", "tcp"),
        ("LAYBY_PORT_8080_TCP_PORT", "8080"),
        ("LAYBY_PORT_8080_TCP_ADDR", "10.0.0.5"),
        ("LAYBY_DB_SERVICE_HOST", "10.0.0.6"),
        ("LAYBY_DB_PORT", "tcp://10.0.0.6:5432"),
    ];
    let config = load(&env(&set_by_services));
    let names: Vec<&str> = set_by_services.iter().map(|(name, _)| *name).collect();
    assert_eq!(config.ignored_variables, names);
    for (name, value) in [
        ("LAYBY_PORT", "8080"),
        ("LAYBY_SERVER_PORT", "8080"),
        ("LAYBY_SERVICE_HOSTS", "10.0.0.5"),
        ("LAYBY_SERVER__SERVICE_HOST", "10.0.0.5"),
        ("LAYBY_MAIL__SMTP__PORTS", "tcp://10.0.0.5:25"),
    ] {
        let refused = refusal(&env(&[(name, value)]));
        assert!(refused.contains("is not a setting"), "{name}: {refused}");
    }
    let of_a_setting = refusal(&env(&[("LAYBY_MAIL__SMTP__PORT", "tcp://10.0.0.5:25")]));
    assert!(
        of_a_setting.starts_with("mail.smtp.port must be"),
        "{of_a_setting}"
    );
}

#[test]
fn a_gateways_test_keys_are_for_development_whether_it_is_offered_or_only_serviced() {
    for offered in ["sandbox", "stripe"] {
        let test = [
            ("LAYBY_PAYMENTS__GATEWAYS", offered),
            ("LAYBY_PAYMENTS__STRIPE__SECRET_KEY", "rk_test_0000"),
            ("LAYBY_PAYMENTS__STRIPE__TEST", "true"),
            ("LAYBY_PAYMENTS__STRIPE__API_URL", "http://127.0.0.1:4010"),
        ];
        let config = load(&env(&test));
        let stripe = config.payments.stripe.as_ref().unwrap();
        assert_eq!(stripe.api_url.as_str(), "http://127.0.0.1:4010");
        assert!(!format!("{config:?}").contains("rk_test_0000"));
    }
    let mut layers = file(&format!("{PRODUCTION}{OWN_SITE}"));
    layers.env = pairs(&[
        ("LAYBY_PAYMENTS__STRIPE__SECRET_KEY", "rk_test_0000"),
        ("LAYBY_PAYMENTS__STRIPE__TEST", "true"),
    ]);
    let message = refusal(&layers);
    assert!(
        message.starts_with("payments.stripe.secret_key must not be"),
        "{message}"
    );
    assert!(load(&env(&[])).payments.stripe.is_none());
}

#[test]
fn the_tag_manager_exists_in_production_only() {
    let tags = [
        ("LAYBY_TAG_MANAGER__ID", "GTM-1"),
        (
            "LAYBY_TAG_MANAGER__SRC",
            "https://tags.example/gtm.js?id=GTM-1",
        ),
        ("LAYBY_TAG_MANAGER__HOSTS", "https://stats.example"),
    ];
    assert!(load(&env(&tags)).tag_manager.is_none());
    let mut layers = file(&format!("{PRODUCTION}{OWN_SITE}"));
    layers.env = pairs(&tags);
    let hosts = load(&layers).tag_manager.unwrap().hosts;
    let hosts: Vec<&str> = hosts.iter().map(WebOrigin::as_str).collect();
    assert_eq!(hosts, ["https://tags.example", "https://stats.example"]);
}

#[test]
fn the_clock_starts_where_the_environment_says() {
    let config = load(&env(&[("LAYBY_CLOCK", "2027-10-30T10:00:00+01:00")]));
    let now = config.clock().now();
    assert!(now.to_rfc3339().starts_with("2027-10-30T09:00:"), "{now}");
    assert!(load(&env(&[("LAYBY_CLOCK", "")])).clock_start.is_none());
}

#[test]
fn secrets_stay_out_of_what_is_printed() {
    let config = load(&env(&[("LAYBY_PAYMENTS__SANDBOX__SECRET", "open sesame")]));
    assert_eq!(
        config.payments.sandbox.secret.as_ref().unwrap().expose(),
        "open sesame"
    );
    assert!(!format!("{config:?}").contains("sesame"));
}
