//! `serve --check` tries the keys of gateways, and reports the result.

use std::path::Path;
use std::process::Command;

use chrono::{DateTime, Utc};

use super::{layby, run, text};
use crate::globalpayments::double as globalpayments;
use crate::stripe::double::Double;

fn check(data: &Path, api: &str) -> Command {
    let mut command = layby(data);
    command
        .env("LAYBY_PAYMENTS__STRIPE__TEST", "true")
        .env("LAYBY_PAYMENTS__STRIPE__SECRET_KEY", "rk_test_double")
        .env("LAYBY_PAYMENTS__STRIPE__API_URL", api)
        .args(["serve", "--check"]);
    command
}

/// Adds the keys of Global Payments to a command.
fn global_payments(mut command: Command, double: &globalpayments::Double) -> Command {
    let settings = [
        ("TEST", "true"),
        ("APP_ID", globalpayments::APP),
        ("APP_KEY", globalpayments::KEY),
        ("ACCOUNT_NAME", globalpayments::ACCOUNT),
        ("API_URL", &double.address()),
    ];
    let name = |setting| format!("LAYBY_PAYMENTS__GLOBALPAYMENTS__{setting}");
    command.envs(settings.map(|(setting, value)| (name(setting), value)));
    command
}

#[test]
fn keys_that_work_are_told_from_those_that_dont_and_those_that_nobody_could_try() {
    let data = tempfile::tempdir().unwrap();
    let none = run(layby(data.path()).args(["serve", "--check"]));
    assert!(none.status.success());
    assert!(text(&none.stdout).contains("no gateway has keys to try"));

    let stripe = Double::start("127.0.0.1:0", None, || 0).unwrap();
    let good = run(&mut check(data.path(), &stripe.address()));
    assert!(good.status.success(), "{}", text(&good.stderr));
    assert!(text(&good.stdout).contains(
        "; the keys of stripe work\npayments.stripe.webhook_secrets can't be tried without a payment\n"
    ));

    stripe.revoke();
    let revoked = run(&mut check(data.path(), &stripe.address()));
    assert!(!revoked.status.success());
    let output = text(&revoked.stderr);
    assert!(
        output.contains("the keys of stripe don't work: Stripe refuses"),
        "{output}"
    );
    assert!(output.contains("401"), "{output}");
    assert!(!output.contains("rk_test_double"), "{output}");

    let nobody = run(&mut check(data.path(), "http://127.0.0.1:1"));
    assert!(!nobody.status.success());
    let output = text(&nobody.stderr);
    assert!(
        output.contains("the keys of stripe could not be tried"),
        "{output}"
    );
}

#[test]
fn a_clock_that_differs_from_the_gateways_is_a_warning() {
    let data = tempfile::tempdir().unwrap();
    let now: DateTime<Utc> = crate::support::NOW.parse().unwrap();
    let now = now.timestamp();
    let double = globalpayments::Double::start("127.0.0.1:0", move || now - 600).unwrap();
    let mut checked = global_payments(layby(data.path()), &double);
    let checked = run(checked.args(["serve", "--check"]));
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    let output = text(&checked.stdout);
    assert!(
        output.contains(
            "; the keys of globalpayments work\n\
             payments.globalpayments.country can't be tried without a payment\n\
             our clock is 10 minutes ahead\n"
        ),
        "{output}"
    );
}

#[test]
fn the_faults_of_all_gateways_are_reported_at_once() {
    let data = tempfile::tempdir().unwrap();
    let now: DateTime<Utc> = crate::support::NOW.parse().unwrap();
    let now = now.timestamp();
    let double = globalpayments::Double::start("127.0.0.1:0", move || now).unwrap();
    let stripe = Double::start("127.0.0.1:0", None, || 0).unwrap();
    stripe.revoke();
    let with_key = |key: &str| {
        let mut both = global_payments(check(data.path(), &stripe.address()), &double);
        run(both.env("LAYBY_PAYMENTS__GLOBALPAYMENTS__APP_KEY", key))
    };
    let refused = with_key("another-key");
    assert!(!refused.status.success());
    let output = text(&refused.stderr);
    for gateway in ["stripe", "globalpayments"] {
        let fault = format!("the keys of {gateway} don't work: ");
        assert!(output.contains(&fault), "{output}");
    }
    // One gateway whose keys work changes nothing of the other's fault.
    let refused = with_key(globalpayments::KEY);
    assert!(!refused.status.success());
    let output = text(&refused.stderr);
    assert!(
        output.contains("the keys of stripe don't work: "),
        "{output}"
    );
    assert!(!output.contains("globalpayments"), "{output}");
}
