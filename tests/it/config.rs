//! The operator's settings, as an operator gives them.

use layby::config::{
    Config, ConfigError, Gateway, LogFormat, Mode, Origin, Security, Sender, Sources,
};

fn pairs(given: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    given.iter().map(owned).collect()
}

fn file(text: &str) -> Sources {
    Sources {
        file: Some(("shop.toml".to_owned(), text.to_owned())),
        ..Sources::default()
    }
}

fn env(given: &[(&str, &str)]) -> Sources {
    Sources {
        env: pairs(given),
        ..Sources::default()
    }
}

fn load(sources: &Sources) -> Config {
    Config::load(sources).unwrap_or_else(|error| panic!("refused: {error}"))
}

fn refusal(sources: &Sources) -> String {
    match Config::load(sources) {
        Ok(_) => panic!("accepted: {sources:?}"),
        Err(error) => error.to_string(),
    }
}

/// Lines of `NAME=value -> how the refusal begins`.
fn variables_and_messages(table: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let lines = table.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| {
        let (given, message) = line.split_once(" -> ").unwrap();
        let (name, value) = given.trim_start().split_once('=').unwrap();
        (name, value, message)
    })
}

const PRODUCTION: &str = r#"
mode = "production"
[server]
public_url = "https://cover.example.org"
[payments]
gateways = []
"#;

#[test]
fn the_defaults_alone_are_a_shop() {
    let config = load(&Sources::default());
    assert_eq!(config.mode, Mode::Development);
    assert_eq!(config.server.listen, "127.0.0.1:8080".parse().unwrap());
    assert_eq!(config.server.data.to_str(), Some("data"));
    assert_eq!(config.log.format, LogFormat::Text);
    assert_eq!(config.payments.gateways, [Gateway::Sandbox]);
    assert!(config.payments.sandbox_secret.is_none());
    assert!(config.tag_manager.is_none());
    assert!(config.site.reviews_frame.is_none());
    assert!(config.products_folder.is_none());
    assert_eq!(config.site.hours, "9am to 5pm Monday to Friday");
    assert_eq!(config.cookie_name, "layby_cookies");
    assert_eq!(config.accounts.sign_on, "/dashboard");
    let rule = config.accounts.password;
    assert_eq!((rule.min_length, rule.max_length), (8, 20));
    assert!(rule.uppercase && rule.lowercase && rule.digit && rule.special && rule.no_whitespace);
}

#[test]
fn the_default_texts_are_complete_and_say_that_they_are_samples() {
    let site = load(&Sources::default()).site;
    assert_eq!(site.footer.len(), 2);
    assert!(
        site.footer
            .iter()
            .all(|text| text.starts_with("Sample text"))
    );
    assert!(site.footer[0].contains("authorised and regulated by the Financial Conduct Authority"));
    assert!(site.complaints.contains("Financial Ombudsman Service"));
    assert!(site.complaints.contains("01632 960 123"));
    assert!(site.complaints.contains("help@layby.example"));
    let texts = site.footer.iter().chain([&site.complaints]);
    assert!(texts.into_iter().all(|text| !text.contains(['{', '}'])));
}

#[test]
fn flags_win_over_the_environment_over_the_file_over_the_defaults() {
    let mut sources = file(
        "[server]\nlisten = \"127.0.0.1:1\"\ndata = \"from-file\"\n\
         [site]\nbrand = \"From file\"",
    );
    sources.env = pairs(&[
        ("LAYBY_SERVER__LISTEN", "127.0.0.1:2"),
        ("LAYBY_SERVER__DATA", "from-environment"),
        ("PATH", "/bin"),
    ]);
    sources.flags = pairs(&[("server.listen", "127.0.0.1:3")]);
    let config = load(&sources);
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
fn what_is_not_a_setting_is_refused_by_its_full_path() {
    let cases = [
        (
            file("[server]\n\nlistne = \"127.0.0.1:1\""),
            "server.listne is not a setting (shop.toml line 3)",
        ),
        (
            file("[site.links]\nabout = \"/\""),
            "site.links.about is not a setting (shop.toml line 2)",
        ),
        (
            file("[shops]\nname = \"x\""),
            "shops is not a setting (shop.toml line 1)",
        ),
        (
            file("brand = \"x\""),
            "brand is not a setting (shop.toml line 1)",
        ),
        (
            env(&[("LAYBY_SERVER__LISTNE", "127.0.0.1:1")]),
            "server.listne is not a setting (environment variable LAYBY_SERVER__LISTNE)",
        ),
        (
            env(&[("LAYBY_SERVER_LISTEN", "127.0.0.1:1")]),
            "server_listen is not a setting (environment variable LAYBY_SERVER_LISTEN)",
        ),
        (
            Sources {
                flags: pairs(&[("server.lisen", "x")]),
                ..Sources::default()
            },
            "server.lisen is not a setting (flag --lisen)",
        ),
    ];
    for (sources, message) in cases {
        assert!(matches!(
            Config::load(&sources),
            Err(ConfigError::Unknown { .. })
        ));
        assert_eq!(refusal(&sources), message);
    }
}

#[test]
fn a_wrong_type_is_refused_with_the_right_one() {
    let cases = [
        ("mode = 3", "mode must be text"),
        ("server = \"x\"", "server must be a section"),
        ("[mode]\nx = 1", "mode must be text"),
        ("[server]\nlisten = 8080", "server.listen must be text"),
        ("[server.listen]\nport = 1", "server.listen must be text"),
        (
            "[accounts]\nsession_hours = \"12\"",
            "accounts.session_hours must be a whole number",
        ),
        (
            "[accounts]\nsession_hours = 1.5",
            "accounts.session_hours must be a whole number",
        ),
        (
            "[accounts.password]\ndigit = 1",
            "accounts.password.digit must be true or false",
        ),
        (
            "[site]\nfooter = \"x\"",
            "site.footer must be a list of texts",
        ),
        (
            "[site]\nfooter = [1]",
            "site.footer must be a list of texts",
        ),
        ("[[site]]\nbrand = \"x\"", "site must be a section"),
    ];
    for (text, start) in cases {
        let message = refusal(&file(text));
        assert!(message.starts_with(start), "{text}: {message}");
        assert!(message.contains("(shop.toml line "), "{text}: {message}");
    }
    let message = refusal(&env(&[("LAYBY_ACCOUNTS__SESSION_HOURS", "soon")]));
    assert_eq!(
        message,
        "accounts.session_hours must be a whole number \
         (environment variable LAYBY_ACCOUNTS__SESSION_HOURS)"
    );
}

#[test]
fn a_value_out_of_its_range_is_refused() {
    let cases = "
        LAYBY_MODE=prod -> mode must be one of development, production
        LAYBY_SERVER__LISTEN=localhost -> server.listen must be an address and a port
        LAYBY_SERVER__DATA=  -> server.data must be the name of a folder
        LAYBY_SERVER__PUBLIC_URL=cover.example.org -> server.public_url must be empty, or
        LAYBY_SERVER__PUBLIC_URL=https://a.example/shop -> server.public_url must be
        LAYBY_SERVER__PUBLIC_URL=ftp://a.example -> server.public_url must be
        LAYBY_SERVER__TRUSTED_PROXIES=10.0.0.0/33 -> server.trusted_proxies must be
        LAYBY_LOG__FORMAT=xml -> log.format must be one of text, json
        LAYBY_LOG__LEVEL=loud -> log.level must be one of error, warn, info, debug, trace
        LAYBY_SITE__BRAND= -> site.brand must be text that is not empty
        LAYBY_SITE__EMAIL=nobody -> site.email must be an e-mail address
        LAYBY_SITE__LINKS__TERMS=javascript:alert(1) -> site.links.terms must be
        LAYBY_SITE__LINKS__TERMS=//evil.example -> site.links.terms must be
        LAYBY_SITE__RATING_BADGE__IMAGE=https://x.example/a.png -> site.rating_badge.image
        LAYBY_SITE__REVIEWS_FRAME=http://x.example -> site.reviews_frame must be empty or
        LAYBY_COOKIES__NAME=a b -> cookies.name must be a name of letters
        LAYBY_TAG_MANAGER__SRC=/tags.js -> tag_manager.src must be
        LAYBY_TAG_MANAGER__ID=GTM-1 -> tag_manager.id and tag_manager.src must both
        LAYBY_TAG_MANAGER__HOSTS=https://a.example/x -> tag_manager.hosts must be
        LAYBY_ACCOUNTS__SIGN_ON=//evil.example -> accounts.sign_on must be a path
        LAYBY_ACCOUNTS__SESSION_HOURS=0 -> accounts.session_hours must be a whole number
        LAYBY_ACCOUNTS__HASHING_THREADS=-1 -> accounts.hashing_threads must be a whole
        LAYBY_ACCOUNTS__PASSWORD__MIN_LENGTH=21 -> accounts.password.min_length must not
        LAYBY_PAYMENTS__GATEWAYS=sandbox, bank -> payments.gateways must be
        LAYBY_PAYMENTS__GATEWAYS=sandbox, sandbox -> payments.gateways must be
        LAYBY_MAIL__FROM=help@a.example -> mail.from must be a name and an address, such as
        LAYBY_MAIL__FROM=<help@a.example> -> mail.from must be a name and an address
        LAYBY_MAIL__FROM=Us <help at a.example> -> mail.from must be a name and an address
        LAYBY_MAIL__FROM=Us <hélp@a.example> -> mail.from must be a name and an address
        LAYBY_MAIL__SMTP__HOST=smtp://a.example -> mail.smtp.host must be empty, or the name
        LAYBY_MAIL__SMTP__HOST=a.example:25 -> mail.smtp.host must be empty, or the name
        LAYBY_MAIL__SMTP__PORT=65536 -> mail.smtp.port must be a whole number from 0 to 65535
        LAYBY_MAIL__SMTP__SECURITY=ssl -> mail.smtp.security must be one of starttls, tls, none
        LAYBY_MAIL__SMTP__USERNAME=shop -> mail.smtp.username and mail.smtp.password must both
        LAYBY_MAIL__SMTP__PASSWORD=open -> mail.smtp.username and mail.smtp.password must both
        LAYBY_MAIL__SMTP__TIMEOUT_SECONDS=0 -> mail.smtp.timeout_seconds must be a whole number
        LAYBY_CLOCK=tomorrow -> LAYBY_CLOCK must be a time such as 2027-10-30T09:00:00Z
    ";
    for (name, value, start) in variables_and_messages(cases) {
        let message = refusal(&env(&[(name, value)]));
        assert!(message.starts_with(start), "{name}={value}: {message}");
        assert!(!message.contains('\n'), "{name}={value}: {message}");
    }
}

#[test]
fn text_that_is_not_toml_is_refused_with_its_line() {
    let message = refusal(&file("mode = \"development\"\n[server\nlisten = 1"));
    assert!(
        message.starts_with("shop.toml line 2 is not valid TOML: "),
        "{message}"
    );
    assert!(!message.contains('\n'), "{message}");
}

#[test]
fn a_settings_file_that_is_not_there_is_named() {
    let missing = std::path::Path::new("no-such-shop.toml");
    let error = Sources::of_process(Some(missing), Vec::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("can't read the settings file no-such-shop.toml: ")
    );
}

#[test]
fn production_is_strict() {
    let with = |more: &[(&str, &str)]| {
        let mut sources = file(PRODUCTION);
        sources.env = pairs(more);
        sources
    };
    let config = load(&with(&[]));
    assert!(config.is_production());
    let cases = "
        LAYBY_SERVER__PUBLIC_URL= -> server.public_url must be an https:// address
        LAYBY_SERVER__PUBLIC_URL=http://a.example -> server.public_url must be an https
        LAYBY_PAYMENTS__GATEWAYS=sandbox -> payments.gateways must not name sandbox
        LAYBY_CLOCK=2027-10-30T09:00:00Z -> LAYBY_CLOCK is refused
    ";
    for (name, value, start) in variables_and_messages(cases) {
        let message = refusal(&with(&[(name, value)]));
        assert!(message.starts_with(start), "{name}={value}: {message}");
    }
}

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
    assert_eq!(smtp.login.unwrap().password.expose(), "open sesame");
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
        let mut sources = file(PRODUCTION);
        sources.env = pairs(&[
            ("LAYBY_MAIL__FROM", from),
            ("LAYBY_MAIL__SMTP__HOST", host),
            ("LAYBY_MAIL__SMTP__SECURITY", security),
        ]);
        sources
    };
    let (ours, sample) = ("Us <help@example.org>", "{brand} <{email}>");
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
    let mut sources = file(PRODUCTION);
    sources.env = pairs(&tags);
    let hosts = load(&sources).tag_manager.unwrap().hosts;
    let hosts: Vec<&str> = hosts.iter().map(Origin::as_str).collect();
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
        config.payments.sandbox_secret.as_ref().unwrap().expose(),
        "open sesame"
    );
    assert!(!format!("{config:?}").contains("sesame"));
}

fn partner(line: &str) -> String {
    let key = "0".repeat(64);
    format!(
        "[[partners]]\nid = 1\nname = \"A\"\nidentifier = \"a\"\nlogo_url = \"/a.svg\"\n\
         key_sha256 = \"{key}\"\nservices = [\"s\"]\n{line}\n"
    )
}

#[test]
fn partners_are_sections_of_a_settings_file() {
    let sources = |text: String| Sources {
        file: Some(("shop.toml".to_string(), text)),
        ..Sources::default()
    };
    let config = Config::load(&sources(partner(""))).unwrap();
    assert_eq!(config.partners.len(), 1);
    assert_eq!(config.partners[0].requests_a_minute, 600);
    assert!(
        Config::load(&Sources::default())
            .unwrap()
            .partners
            .is_empty()
    );
    for (text, said) in [
        (partner("colour = 1"), "partners[0].colour is not a setting"),
        (
            partner("requests_a_minute = 0"),
            "partners[0].requests_a_minute must be a whole number above 0",
        ),
        (
            partner("").replace("\"/a.svg\"", "\"https://a.example/a.svg\""),
            "partners[0].logo_url must be a path of this website",
        ),
        (
            partner("").replace("[\"s\"]", "[]"),
            "partners[0].services must be a list of texts",
        ),
        (
            format!("{}{}", partner(""), partner("")),
            "partners[1].identifier must be one that no other partner has",
        ),
        ("partners = 3".to_string(), "partners must be"),
        ("partners = [\"a\"]".to_string(), "partners must be"),
    ] {
        let error = Config::load(&sources(text)).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
        assert!(error.contains("shop.toml line"), "{error}");
    }
}
