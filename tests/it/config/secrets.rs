//! Secrets in files, and what commands need that only find the store.

use std::path::Path;

use layby::config::{Config, Layers};

use super::{env, file, load, refusal};

/// Every key of a secret that may stand in a file and is read at the start.
const KEYS: [&str; 15] = [
    "mail.smtp.password",
    "lookup.dvsa.client_secret",
    "lookup.dvsa.api_key",
    "lookup.ves.api_key",
    "lookup.ideal_postcodes.api_key",
    "lookup.os_places.api_key",
    "payments.sandbox.secret",
    "payments.stripe.secret_key",
    "payments.stripe.webhook_secrets",
    "payments.globalpayments.app_key",
    "payments.smartpayfuse.secret_key",
    "payments.smartpayfuse.previous_secret_key",
    "payments.smartpayfuse.rest_secret",
    "payments.smartpayfuse.encryption_certificate",
    "payments.smartpayfuse.decryption_key",
];

fn variable(key: &str) -> String {
    format!("LAYBY_{}", key.to_uppercase().replace('.', "__"))
}

/// Returns the lines of `layby config` about a key.
fn described(layers: &Layers, key: &str) -> String {
    let lines = Config::describe(layers).unwrap();
    let line = lines
        .into_iter()
        .find(|line| line.starts_with(&format!("{key} = ")));
    line.unwrap_or_else(|| panic!("{key} is not described"))
}

#[test]
fn every_secret_may_be_a_file_or_a_credential_of_systemd_and_has_one_source() {
    let folder = tempfile::tempdir().unwrap();
    for key in KEYS
        .into_iter()
        .chain(["store.password", "documents.s3.secret"])
    {
        let path = folder.path().join(key);
        std::fs::write(&path, "open-sesame\n").unwrap();
        let path = path.display().to_string();
        let from_file = env(&[(&variable(&format!("{key}_file")), &path)]);
        let is_read_later = !KEYS.contains(&key);
        let shown = described(&from_file, key);
        assert!(!shown.contains("sesame"), "{shown}");
        assert_eq!(
            shown.contains(&format!("[secret]  # file {path}")),
            !is_read_later,
            "{shown}"
        );

        let mut passed = Layers {
            credentials: Some(folder.path().to_owned()),
            ..Layers::default()
        };
        assert!(described(&passed, key).contains(&format!("[secret]  # file {path}")));
        // Only this credential.
        let own = tempfile::tempdir().unwrap();
        std::fs::copy(&path, own.path().join(key)).unwrap();
        passed.credentials = Some(own.path().to_owned());
        for name in [variable(key), variable(&format!("{key}_file"))] {
            passed.env = vec![(name, path.clone())];
            let refused = refusal(&passed);
            assert!(
                refused.contains("must be empty when systemd passes the secret"),
                "{refused}"
            );
        }
        std::fs::remove_file(folder.path().join(key)).unwrap();
    }
}

#[test]
fn a_file_of_a_secret_that_is_missing_empty_or_binary_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let from = |path: &Path| {
        let path = path.display().to_string();
        refusal(&env(&[("LAYBY_MAIL__SMTP__PASSWORD_FILE", &path)]))
    };
    let path = folder.path().join("password");
    assert!(from(&path).starts_with("can't read the settings file"));
    std::fs::write(&path, " \n").unwrap();
    assert_eq!(
        from(&path),
        format!("the file {} holds no secret", path.display())
    );
    std::fs::write(&path, [0xff, 0xfe, 0]).unwrap();
    assert!(from(&path).starts_with("can't read the settings file"));
    assert!(from(folder.path()).starts_with("can't read the settings file"));
}

#[test]
fn a_secret_in_a_file_that_every_user_reads_is_named() {
    let mut layers = file("[payments.stripe]\nsecret_key = \"sk_test_1\"\ntest = true\n");
    assert!(load(&layers).exposed_secrets.is_empty());
    layers.is_file_public = true;
    assert_eq!(
        load(&layers).exposed_secrets,
        ["payments.stripe.secret_key"]
    );
}

#[test]
fn a_command_that_finds_the_store_needs_no_other_setting_to_be_right() {
    let mut layers = file(
        "mode = \"production\"\n[server]\ndata = \"shop\"\nlisten = 7\n[store]\ncache = \"64 MiB\"\n\
         [no_such]\nkey = 1\n",
    );
    layers.env = super::pairs(&[("LAYBY_NO_SUCH", "1"), ("LAYBY_STORE__CONNECTIONS", "3")]);
    refusal(&layers);
    let config = load(&layers.restrict_to_store());
    assert_eq!(config.server.data.to_str(), Some("shop"));
    assert_eq!(
        (config.store.cache, config.store.connections),
        (64 << 20, 3)
    );
    assert!(!config.is_production());
    let wrong = file("[store]\ncache = \"0 MiB\"\n").restrict_to_store();
    assert!(refusal(&wrong).starts_with("store.cache must be a size from 4 MiB"));
}
