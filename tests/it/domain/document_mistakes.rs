//! Mistakes in a file of documents, and a missing file.

use layby::domain::product::Product;
use layby::products::builtin;

use super::try_parse;

/// Returns the mistakes in breakdown's documents after one replacement, as reported for the product file.
fn document_mistakes(from: &str, to: &str) -> Vec<String> {
    let (name, text) = layby::products::builtin_documents()[0];
    assert!(text.contains(from), "{from} isn't in the file");
    let changed = text.replacen(from, to, 1);
    let read = |asked: &str| (asked == name).then(|| changed.clone());
    let (file, product) = builtin()[0];
    let mistakes = Product::parse_with(file, product, &read).unwrap_err();
    mistakes.iter().map(ToString::to_string).collect()
}

#[test]
fn mistakes_in_a_file_of_documents_are_told_by_its_own_lines() {
    let text = layby::products::builtin_documents()[0].1;
    let line = |of: &str| 1 + text[..text.find(of).unwrap()].matches('\n').count();
    for (from, to, says) in [
        (
            "{cancellation_fee}",
            "{cancelation_fee}",
            "`{cancelation_fee}` is not known here",
        ),
        ("payment = [", "paiment = [", "`paiment` is not for `ipid`"),
        (
            "option = true",
            "option = 1",
            "`option`: invalid type: integer `1`, expected a boolean",
        ),
        (
            "{ heading = \"Tell us\" }",
            "{ heding = \"Tell us\" }",
            "unknown field `heding`, expected one of `heading`, `list`, `terms`",
        ),
        (
            "means = \"{brand} and",
            "meens = \"{brand} and",
            "unknown field `meens`, expected `term` or `means`",
        ),
    ] {
        let found = document_mistakes(from, to);
        let at = format!("breakdown.documents.toml:{}: {says}", line(from));
        assert!(
            found.iter().any(|text| text.starts_with(&at)),
            "{at}: {found:#?}"
        );
    }
    let broken = document_mistakes("[ipid]", "[ipid");
    let at = format!(
        "breakdown.documents.toml:{}: this isn't TOML",
        line("[ipid]")
    );
    assert!(broken[0].starts_with(&at), "{broken:#?}");
}

#[test]
fn a_file_of_documents_must_be_there() {
    let (file, text) = builtin()[0];
    let found = Product::parse(file, text).unwrap_err();
    assert_eq!(found.len(), 1);
    assert!(
        found[0]
            .text
            .contains("there is no file `breakdown.documents.toml` beside")
    );
    let elsewhere = text.replace("breakdown.documents.toml", "../x.documents.toml");
    let found = Product::parse(file, &elsewhere).unwrap_err();
    assert!(found[0].text.contains("`file` is a name that ends with"));
    let nameless = text.replace("version = \"2026.8\"", "version = \"2026/3\"");
    let found = try_parse(file, &nameless).unwrap_err();
    assert!(found[0].text.contains("it is part of addresses"));
}

#[test]
fn sentences_about_monthly_payment_need_its_terms() {
    let (file, text) = builtin()[0];
    let annual = text.replace("[monthly]\npayments = 12\nminimum = 40.00\n", "");
    assert_ne!(annual, text);
    let (name, documents) = layby::products::builtin_documents()[0];
    let read = |asked: &str| (asked == name).then(|| documents.to_owned());
    let mistakes = Product::parse_with(file, &annual, &read).unwrap_err();
    let mistakes: Vec<_> = mistakes
        .iter()
        .map(|mistake| mistake.text.as_str())
        .collect();
    for expected in [
        "a `monthly` sentence needs `[monthly]`",
        "`{monthly_payments}` needs `[monthly]`",
        "`{monthly_minimum}` needs `[monthly]`",
        "`{monthly_grantor}` needs `[monthly]`",
    ] {
        assert!(mistakes.contains(&expected), "{expected}: {mistakes:#?}");
    }
}
