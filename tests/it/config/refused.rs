//! A wrong setting in a file, variable or flag is reported with its place.

use layby::config::{Config, ConfigError, Layers};

use super::{env, file, pairs, refusal, variables_and_messages};

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
            Layers {
                flags: pairs(&[("server.lisen", "x")]),
                ..Layers::default()
            },
            "server.lisen is not a setting (flag --lisen)",
        ),
    ];
    for (layers, message) in cases {
        assert!(matches!(
            Config::load(&layers),
            Err(ConfigError::Unknown { .. })
        ));
        assert_eq!(refusal(&layers), message);
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
        LAYBY_SERVER__MAX_BODY_MEMORY=64 -> server.max_body_memory must be a size from 8 MiB, such as
        LAYBY_SERVER__MAX_BODY_MEMORY=64 MB -> server.max_body_memory must be a size
        LAYBY_SERVER__MAX_BODY_MEMORY=7 MiB -> server.max_body_memory must be a size
        LAYBY_SERVER__MAX_BODY_MEMORY=99999999999999 GiB -> server.max_body_memory must be a size
        LAYBY_SERVER__MAX_CONNECTIONS=-1 -> server.max_connections must be a whole number
        LAYBY_SERVER__MAX_CONNECTIONS_PER_ADDRESS=0 -> server.max_connections_per_address must
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
        LAYBY_ACCOUNTS__LOGIN_REDIRECT=//evil.example -> accounts.login_redirect must be an https:// address, or
        LAYBY_ACCOUNTS__LOGIN_REDIRECT=/\\evil.example -> accounts.login_redirect must be an https:// address
        LAYBY_ACCOUNTS__LOGIN_REDIRECT=http://id.example/in -> accounts.login_redirect must be an https://
        LAYBY_ACCOUNTS__LOGIN_REDIRECT=javascript:alert(1) -> accounts.login_redirect must be an https://
        LAYBY_ACCOUNTS__SESSION_HOURS=0 -> accounts.session_hours must be a whole number
        LAYBY_ACCOUNTS__HASHING_THREADS=-1 -> accounts.hashing_threads must be a whole
        LAYBY_ACCOUNTS__PASSWORD__MIN_LENGTH=21 -> accounts.password.min_length must not
        LAYBY_MONTHLY__GRANTED_BY=bank -> monthly.granted_by must be empty, or insurer
        LAYBY_STORE__CACHE=0 MiB -> store.cache must be a size from 4 MiB, such as 128 MiB
        LAYBY_STORE__CACHE=128 -> store.cache must be a size from 4 MiB
        LAYBY_STORE__URL=postgres://db/layby -> documents.url must say where documents are stored
        LAYBY_DOCUMENTS__URL=documents -> documents.url must be empty, file:// and
        LAYBY_DOCUMENTS__URL=file:/// -> documents.url must be
        LAYBY_DOCUMENTS__URL=s3:///prefix -> documents.url must be
        LAYBY_DOCUMENTS__URL=https://a.example/documents -> documents.url must be
        LAYBY_DOCUMENTS__URL=s3://documents -> documents.s3.key_id and documents.s3.secret, or
        LAYBY_DOCUMENTS__S3__ENDPOINT=s3.example.org -> documents.s3.endpoint must be empty, or
        LAYBY_PAYMENTS__GATEWAYS=sandbox, bank -> payments.gateways must be
        LAYBY_PAYMENTS__GATEWAYS=sandbox, sandbox -> payments.gateways must be
        LAYBY_PAYMENTS__GATEWAYS=stripe -> payments.gateways names stripe, and
        LAYBY_PAYMENTS__STRIPE__SECRET_KEY=pk_live_0000 -> payments.stripe.secret_key must be
        LAYBY_PAYMENTS__STRIPE__SECRET_KEY=sk_live_0 0 -> payments.stripe.secret_key must be
        LAYBY_PAYMENTS__STRIPE__WEBHOOK_SECRETS=secret -> payments.stripe.webhook_secrets must be
        LAYBY_PAYMENTS__STRIPE__API_URL=http://a.example -> payments.stripe.api_url must be
        LAYBY_PAYMENTS__STRIPE__API_URL=https://a.example/v1 -> payments.stripe.api_url must be
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
        LAYBY_LOOKUP__VEHICLE=dvla -> lookup.vehicle must be one of off, sample, dvsa, ves
        LAYBY_LOOKUP__ADDRESS=paf -> lookup.address must be one of off, sample, ideal_postcodes
        LAYBY_LOOKUP__VEHICLE=ves -> lookup.vehicle is ves, and lookup.ves.api_key is empty
        LAYBY_LOOKUP__VEHICLE=dvsa -> lookup.vehicle is dvsa, and token_url, client_id
        LAYBY_LOOKUP__ADDRESS=ideal_postcodes -> lookup.address is ideal_postcodes, and
        LAYBY_LOOKUP__ADDRESS=os_places -> lookup.address is os_places, and
        LAYBY_LOOKUP__TIMEOUT_MILLISECONDS=2001 -> lookup.timeout_milliseconds must be a whole
        LAYBY_LOOKUP__VES__URL=http://a.example -> lookup.ves.url must be empty, or an https://
        LAYBY_LOOKUP__OS_PLACES__URL=https://a.example?key=x -> lookup.os_places.url must be
        LAYBY_LOOKUP__DVSA__TOKEN_URL=ftp://a.example -> lookup.dvsa.token_url must be
        LAYBY_LOOKUP__VES__API_KEY=a b -> lookup.ves.api_key must be text without blanks
        LAYBY_LIMITS__LOOKUPS_PER_HOUR=-1 -> limits.lookups_per_hour must be a whole number
        LAYBY_CLOCK=tomorrow -> LAYBY_CLOCK must be a time such as 2027-10-30T09:00:00Z
    ";
    for (name, value, start) in variables_and_messages(cases) {
        let message = refusal(&env(&[(name, value)]));
        assert!(message.starts_with(start), "{name}={value}: {message}");
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
    let error = Layers::from_process(Some(missing), Vec::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("can't read the settings file no-such-shop.toml: ")
    );
}

#[test]
fn a_variable_has_one_spelling() {
    for name in [
        "LAYBY_server__listen",
        "LAYBY_SERVER.LISTEN",
        "LAYBY_SERVER",
    ] {
        let message = refusal(&env(&[(name, "127.0.0.1:1")]));
        let end = format!(" is not a setting (environment variable {name})");
        assert!(message.ends_with(&end), "{message}");
    }
}

#[test]
fn a_mistake_does_not_repeat_the_value() {
    let cases = [
        ("[payments.sandbox]", "secret = 4242"),
        ("[payments.stripe]", "secret_key = \"pk_4242\""),
        ("[payments.stripe]", "webhook_secrets = [\"4242\"]"),
        ("[payments.sandbox]", "secret = [\"4242\"]"),
        ("[mail.smtp]", "password = 4242.5"),
        ("[mail.smtp]", "password = 4242-01-01"),
        ("[[partners]]", "key_sha256 = \"4242\""),
        ("[[partners]]", "key_sha256 = 4242"),
        ("[[partners]]", "key_sha256 = 4242-01-01"),
        ("[[partners]]", "services = [4242]"),
    ];
    for (section, line) in cases {
        let message = refusal(&file(&format!("{section}\n{line}")));
        assert!(message.contains(" must be "), "{line}: {message}");
        assert!(!message.contains("4242"), "{line}: {message}");
    }
}

#[test]
fn all_mistakes_are_reported_together() {
    let mut layers = file(
        "mode = \"production\"\nbrand = \"x\"\n[server]\nlisten = \"nowhere\"\n[site]\nbrand = \"\"\n\
         [log]\nformat = \"xml\"\n[payments]\ngateways = [\"stripe\", \"globalpayments\"]\n\
         [payments.stripe]\nsecret_key = \"pk_1\"\n",
    );
    layers.env = pairs(&[
        ("LAYBY_ACCOUNTS__SESSION_HOURS", "soon"),
        ("LAYBY_STORE__CACHE", "0 MiB"),
    ]);
    let message = refusal(&layers);
    let lines: Vec<&str> = message.lines().collect();
    for (line, start) in lines.iter().zip([
        "brand is not a setting (shop.toml line 2)",
        "accounts.session_hours must be a whole number (environment variable",
        "server.listen must be an address and a port",
        "store.cache must be a size from 4 MiB",
        "log.format must be one of text, json",
        "site.brand must be text that is not empty",
        "payments.stripe.secret_key must be",
        "payments.gateways names globalpayments, and payments.globalpayments.app_id is empty",
        "server.public_url must be an https:// address when mode is production",
        "mail.smtp.host must name a mail server when mode is production",
        "a shop in production mode needs texts of its own, and these are still samples: site.brand",
    ]) {
        assert!(line.starts_with(start), "{start}: {message}");
    }
    // A conflict that only follows from a mistake is left out: Stripe's key, and the proxy before `server.listen`.
    assert_eq!(lines.len(), 11, "{message}");
}
