//! `serve --check` tries the keys of gateways, and reports the result.

use std::path::Path;
use std::process::Command;

use super::{layby, run, text};
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

#[test]
fn keys_that_work_are_told_from_those_that_dont_and_those_that_nobody_could_try() {
    let data = tempfile::tempdir().unwrap();
    let none = run(layby(data.path()).args(["serve", "--check"]));
    assert!(none.status.success());
    assert!(text(&none.stdout).contains("no gateway has keys to try"));

    let stripe = Double::start("127.0.0.1:0", None, || 0).unwrap();
    let good = run(&mut check(data.path(), &stripe.address()));
    assert!(good.status.success(), "{}", text(&good.stderr));
    assert!(text(&good.stdout).ends_with(
        "; the keys of stripe work\npayments.stripe.webhook_secrets can't be tried without a payment\n"
    ));

    stripe.revoke();
    let revoked = run(&mut check(data.path(), &stripe.address()));
    assert!(!revoked.status.success());
    let said = text(&revoked.stderr);
    assert!(
        said.contains("the keys of stripe don't work: Stripe refuses"),
        "{said}"
    );
    assert!(said.contains("401"), "{said}");
    assert!(!said.contains("rk_test_double"), "{said}");

    let nobody = run(&mut check(data.path(), "http://127.0.0.1:1"));
    assert!(!nobody.status.success());
    let said = text(&nobody.stderr);
    assert!(
        said.contains("the keys of stripe could not be tried"),
        "{said}"
    );
}
