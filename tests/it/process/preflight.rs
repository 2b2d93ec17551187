//! `serve --check` refuses what `serve` refuses, with the same message.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use super::{Running, layby, run, text};
use crate::support::production::write_production;
use crate::support::stores;

/// Returns a command with `serve`'s arguments.
type Made<'a> = &'a dyn Fn() -> Command;

/// Checks that both commands are refused with `expected`.
fn both_refuse(command: Made<'_>, expected: &str) {
    for more in [&["--check"][..], &["--listen", "127.0.0.1:0"]] {
        let refused = run(command().arg("serve").args(more));
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{more:?}: {said}");
        assert!(said.contains(expected), "{more:?}: {said}");
    }
}

fn seeded(data: &Path) {
    let few = ["seed", "--customers", "1", "--policies", "2"];
    assert!(run(layby(data).args(few)).status.success());
}

#[test]
fn a_store_that_is_gone_beside_its_documents_is_no_new_shop() {
    let data = tempfile::tempdir().unwrap();
    let documents = data.path().join("documents");
    std::fs::create_dir(&documents).unwrap();
    // An empty folder proves nothing: an operator may have made it for a new shop.
    let checked = run(layby(data.path()).args(["serve", "--check"]));
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    std::fs::write(documents.join("store-id"), "a shop's").unwrap();
    let expected = "there is no store, and the folder documents beside it says that there was one: put \
                    the store back from a copy, or move documents away to begin anew";
    both_refuse(&|| layby(data.path()), expected);
    let seeded = run(layby(data.path()).args(["seed", "--policies", "1"]));
    assert!(
        text(&seeded.stderr).contains(expected),
        "{}",
        text(&seeded.stderr)
    );
    assert!(!stores::store_in(data.path()).exists(), "none is made");
}

#[test]
fn a_store_that_cant_be_served_is_no_surprise_after_the_check() {
    let data = tempfile::tempdir().unwrap();
    std::fs::write(stores::store_in(data.path()), "an essay").unwrap();
    both_refuse(&|| layby(data.path()), "is no store of layby");
    std::fs::write(stores::store_in(data.path()), stores::unreleased()).unwrap();
    both_refuse(&|| layby(data.path()), "before its first release");
    let folder = data.path().join("a file");
    std::fs::write(&folder, "").unwrap();
    both_refuse(&|| layby(&folder), "the data folder");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_product_that_changed_without_a_new_version_is_named_also_beside_a_running_shop() {
    let data = tempfile::tempdir().unwrap();
    seeded(data.path());
    let products = tempfile::tempdir().unwrap();
    let (name, text) = layby::products::builtin()[1];
    let (beside, documents) = layby::products::builtin_documents()[1];
    std::fs::write(
        products.path().join(name),
        text.replace("Gadget cover", "Gizmo cover"),
    )
    .unwrap();
    std::fs::write(products.path().join(beside), documents).unwrap();
    let changed = || {
        let mut command = layby(data.path());
        command.env("LAYBY_PRODUCTS__FOLDER", products.path());
        command
    };
    let expected = "its version is still 2026.8: give it a new version";
    both_refuse(&changed, expected);
    let _shop = Running::start(data.path(), &[]);
    let beside = run(changed().args(["serve", "--check"]));
    assert_eq!(beside.status.code(), Some(1));
    assert!(super::text(&beside.stderr).contains(expected));
    let same = run(layby(data.path()).args(["serve", "--check"]));
    assert!(same.status.success(), "{}", super::text(&same.stderr));
}

#[test]
fn sample_products_are_refused_in_production_by_name_and_left_out_ones_are_not_sold() {
    let (data, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let settings = write_production(own.path());
    let with = |more: &[(&str, &str)]| {
        let mut command = layby(data.path());
        command
            .env_remove("LAYBY_CLOCK")
            .arg("--config")
            .arg(&settings)
            .envs(more.iter().copied());
        command
    };
    let builtin = [("LAYBY_PRODUCTS__FOLDER", "")];
    both_refuse(
        &|| with(&builtin),
        "sells no samples, and these products are samples: breakdown, gadget; put files",
    );
    let one = [
        ("LAYBY_PRODUCTS__FOLDER", ""),
        ("LAYBY_PRODUCTS__SOLD", "gadget"),
    ];
    both_refuse(&|| with(&one), "these products are samples: gadget;");
    both_refuse(
        &|| with(&[("LAYBY_PRODUCTS__SOLD", "boats")]),
        "products.sold names boats, and there is no such product",
    );
    // The operator's product replaces one of the samples, and the other is not sold.
    for file in ["gadget.toml", "gadget.documents.toml"] {
        std::fs::remove_file(own.path().join("products").join(file)).unwrap();
    }
    both_refuse(&|| with(&[]), "these products are samples: gadget;");
    let seed = ["serve", "--check", "--seed"];
    let seeds = run(with(&[("LAYBY_PRODUCTS__SOLD", "breakdown")]).args(seed));
    assert!(
        text(&seeds.stderr).contains("demonstration data"),
        "{}",
        text(&seeds.stderr)
    );
}

#[test]
fn regulated_credit_of_monthly_payments_is_refused_in_production() {
    let (data, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let settings = write_production(own.path());
    let with = |more: &[(&str, &str)]| {
        let mut command = layby(data.path());
        command
            .env_remove("LAYBY_CLOCK")
            .env_remove("LAYBY_PRODUCTS__FOLDER")
            .arg("--config")
            .arg(&settings)
            .envs(more.iter().copied());
        command
    };
    both_refuse(
        &|| with(&[("LAYBY_MONTHLY__GRANTED_BY", "")]),
        "monthly.granted_by must be insurer when mode is production and these products have [monthly]: \
         breakdown, gadget; free credit is exempt from regulation only if the supplier of the cover grants it",
    );
    let file = own.path().join("products/breakdown.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let line = text.lines().position(|line| line == "payments = 12");
    let line = line.unwrap() + 1;
    let longer = text.replacen("\npayments = 12\n", "\npayments = 13\n", 1);
    std::fs::write(&file, longer).unwrap();
    let expected = format!(
        "breakdown.toml:{line}: `payments` is at most 12 in production mode: free credit is"
    );
    both_refuse(&|| with(&[]), &expected);
    let development = run(layby(data.path())
        .env("LAYBY_PRODUCTS__FOLDER", own.path().join("products"))
        .args(["serve", "--check"]));
    assert!(
        development.status.success(),
        "{}",
        super::text(&development.stderr)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_check_names_all_faults_and_what_it_sees_from_outside() {
    let data = tempfile::tempdir().unwrap();
    seeded(data.path());
    // A folder that others may read, and a public address with a certificate.
    std::fs::set_permissions(data.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let (public, authority) = crate::stripe::tls::encrypted("localhost");
    let files = authority.path().join("ca.pem");
    let products = tempfile::tempdir().unwrap();
    for (name, text) in layby::products::builtin()
        .iter()
        .chain(layby::products::builtin_documents())
    {
        let newer = text.replace("version = \"2026.8\"", "version = \"2026.9\"");
        std::fs::write(products.path().join(name), newer).unwrap();
    }
    let with = |more: &[(&str, &str)], words: &[&str]| {
        let mut command = layby(data.path());
        command
            .env("LAYBY_SERVER__PUBLIC_URL", public.address())
            .env("LAYBY_PAYMENTS__CA_FILE", &files)
            .envs(more.iter().copied());
        run(command.args(words))
    };
    let newer = [("LAYBY_PRODUCTS__FOLDER", products.path().to_str().unwrap())];
    let checked = with(&newer, &["serve", "--check"]);
    let output = text(&checked.stdout);
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    for expected in [
        format!(
            "other users may read or write {}: `chmod go= ",
            data.path().display()
        ),
        "gadget would be sold as version 2026.9; the store has 2026.8".to_string(),
        format!(
            "{} answers 401; its certificate ends 4096",
            public.address()
        ),
    ] {
        assert!(output.contains(&expected), "{expected}: {output}");
    }
    let status = with(&[], &["status"]);
    assert!(
        text(&status.stdout).contains("\ncertificate until 4096"),
        "{}",
        text(&status.stdout)
    );

    let taken = public.address().replace("https://localhost", "127.0.0.1");
    let here = [
        ("LAYBY_PRODUCTS__SOLD", "boats"),
        ("LAYBY_MAIL__TEMPLATES", "/nowhere"),
        ("LAYBY_SERVER__LISTEN", &*taken),
    ];
    let services = [
        ("LAYBY_LOOKUP__ADDRESS", "os_places"),
        ("LAYBY_LOOKUP__OS_PLACES__API_KEY", "key"),
        ("LAYBY_LOOKUP__OS_PLACES__URL", "http://127.0.0.1:9"),
        ("LAYBY_MAIL__SMTP__HOST", "127.0.0.1"),
        ("LAYBY_MAIL__SMTP__PORT", "9"),
    ];
    let no_product = "there is no such product";
    for (faults, expected) in [
        (
            &here[..],
            [
                no_product,
                "mail.templates can't be used",
                "can't listen on",
            ]
            .as_slice(),
        ),
        (
            &services[..],
            &["lookup.address: its service", "connecting: "],
        ),
    ] {
        let refused = with(faults, &["serve", "--check"]);
        let output = text(&refused.stderr);
        for line in expected {
            assert!(output.contains(line), "{line}: {output}");
        }
    }
}

#[test]
fn templates_of_documents_with_mistakes_are_named_by_the_check() {
    let (data, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let check = |folder: &Path| {
        let mut command = layby(data.path());
        command.env("LAYBY_DOCUMENTS__TEMPLATES", folder);
        run(command.args(["serve", "--check"]))
    };
    std::fs::write(own.path().join("plan.typ"), "= Plan\n#(\n").unwrap();
    std::fs::write(own.path().join("look.typ"), "#let (\n").unwrap();
    let refused = check(own.path());
    assert_eq!(refused.status.code(), Some(1));
    let errors = text(&refused.stderr);
    for file in ["plan.typ:2", "look.typ:1"] {
        let line = format!("documents.templates can't be used: {file}: unclosed delimiter");
        assert!(errors.contains(&line), "{errors}");
    }
    let refused = check(&own.path().join("gone"));
    let errors = text(&refused.stderr);
    assert!(errors.contains("can't be read: No such file"), "{errors}");
    for file in ["plan.typ", "look.typ"] {
        std::fs::remove_file(own.path().join(file)).unwrap();
    }
    let checked = check(own.path());
    assert!(checked.status.success(), "{}", text(&checked.stderr));
}
