//! `layby serve --check`: the mistakes in an operator's products.

use super::{layby, run, text};

#[test]
fn the_check_says_every_mistake_with_file_and_line() {
    let data = tempfile::tempdir().unwrap();
    let products = tempfile::tempdir().unwrap();
    std::fs::write(
        products.path().join("boat.toml"),
        "identifier = 3\nnonsense = true\n",
    )
    .unwrap();
    let good = run(layby(data.path()).args(["serve", "--check"]));
    assert_eq!(good.status.code(), Some(0), "{}", text(&good.stderr));
    let bad = run(layby(data.path())
        .env("LAYBY_PRODUCTS__FOLDER", products.path())
        .args(["serve", "--check"]));
    assert_eq!(bad.status.code(), Some(1));
    assert!(
        text(&bad.stderr).contains("boat.toml:"),
        "{}",
        text(&bad.stderr)
    );
}

/// Checks an operator's new product with a slip in every part.
#[test]
fn the_check_names_every_slip_in_a_new_product() {
    let data = tempfile::tempdir().unwrap();
    let products = tempfile::tempdir().unwrap();
    let file = products.path().join("bicycle.toml");
    let good = include_str!("../../fixtures/products/bicycle.toml");
    let check = |text: &str| {
        std::fs::write(&file, text).unwrap();
        run(layby(data.path())
            .env("LAYBY_PRODUCTS__FOLDER", products.path())
            .args(["serve", "--check"]))
    };
    let checked = check(good);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stderr));
    let slips = [
        (
            "reference_prefix = \"BIC\"",
            "reference_prefix = \"bic\"",
            "`reference_prefix` is a few capital letters",
        ),
        (
            "points = [\"Each",
            "points = [\"\", \"Each",
            "`points` is empty",
        ),
        (
            "number = 20",
            "number = 2",
            "step 2 is out of order; this one must be 20",
        ),
        (
            "field = \"lock\", is = \"none\"",
            "field = \"lock\", is = \"chain\"",
            "\"chain\" is no option of `lock`",
        ),
        (
            "[\"electric\", \"more\", 165.00]",
            "[\"electric\", \"most\", 165.00]",
            "\"most\" is no value of `bicycle_value`",
        ),
    ];
    let mut bad = good.to_string();
    for (from, to, _) in slips {
        assert!(bad.contains(from), "{from}");
        bad = bad.replacen(from, to, 1);
    }
    let refused = check(&bad);
    assert_eq!(refused.status.code(), Some(1));
    let said = text(&refused.stderr);
    for (from, _, says) in slips {
        let line = 1 + good[..good.find(from).unwrap()].matches('\n').count();
        let mistake = format!("bicycle.toml:{line}: {says}");
        assert!(said.contains(&mistake), "{mistake} isn't in\n{said}");
    }
    // An unknown key is reported before the rest is checked.
    let refused = check(&bad.replacen("points = [\"\"", "point = [\"\"", 1));
    let said = text(&refused.stderr);
    let line = 1 + good[..good.find("points = [").unwrap()]
        .matches('\n')
        .count();
    let mistake = format!("bicycle.toml:{line}: unknown field `point`, expected one of");
    assert!(said.contains(&mistake), "{mistake} isn't in\n{said}");
    std::fs::remove_file(&file).unwrap();
}
