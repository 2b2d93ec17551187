//! Domain: products as data, forms, conditions and prices.

mod describe;
mod document_mistakes;
mod first_page;
mod fixtures;
mod form;
mod gadget;
mod gadget_cover;
mod gadget_mistakes;
mod generated_files;
mod mistakes;
mod monthly_plan;
mod properties;
mod rating;
mod waiting_times;

use chrono::NaiveDate;
use layby::domain::product::Product;
use layby::domain::product::file::Mistake;
use layby::domain::quote::answers::Answers;
use layby::products::{Catalogue, builtin, builtin_documents};
use serde_json::{Value, json};

/// Returns the day of these tests.
pub fn today() -> NaiveDate {
    day("2026-11-21")
}

pub fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

pub fn breakdown() -> Product {
    let (file, text) = builtin()[0];
    parse(file, text)
}

pub fn parse(file: &str, text: &str) -> Product {
    try_parse(file, text).unwrap_or_else(|mistakes| {
        let lines: Vec<_> = mistakes.iter().map(ToString::to_string).collect();
        panic!("{}", lines.join("\n"))
    })
}

/// Parses a product file, which may name the built-in files of documents.
pub fn try_parse(file: &str, text: &str) -> Result<Product, Vec<Mistake>> {
    let beside = |name: &str| {
        let mut files = builtin_documents().iter();
        let (_, text) = files.find(|(file, _)| *file == name)?;
        Some((*text).to_owned())
    };
    Product::parse_with(file, text, &beside).map(|parsed| parsed.product)
}

/// Writes the built-in files of documents into a folder of product files.
pub fn put_documents(folder: &std::path::Path) {
    for (file, text) in builtin_documents() {
        std::fs::write(folder.join(file), text).unwrap();
    }
}

pub fn answers(values: Value, multi: Value) -> Answers {
    serde_json::from_value(json!({ "values": values, "multi": multi })).unwrap()
}

/// Returns complete answers of a quote for two vehicles.
pub fn vehicle_answers() -> Answers {
    let mut values = policyholder();
    let cover = json!({
        "cover_type": 2, "cover_level": 3, "excess": 2, "start_date": "22.11.2026",
        "key_cover": true, "motor_legal_protection": false, "marketing_contact": false,
    });
    values
        .as_object_mut()
        .unwrap()
        .extend(cover.as_object().unwrap().clone());
    let vehicles = json!({ "vehicles": [
        { "vehicle_type": 1, "vehicle_registration": "AB12 CDE", "vehicle_registration_date": "01.03.2012" },
        { "vehicle_type": 3, "vehicle_registration": "L2WPS", "vehicle_registration_date": "01.03.2022" },
    ] });
    answers(values, vehicles)
}

pub fn policyholder() -> Value {
    json!({
        "title": 2, "first_name": "Ann", "last_name": "O'Neil-Smith", "date_of_birth": "01.02.1980",
        "email_primary": "ann@example.com", "tel_primary": "020 7946 0018",
        "address_primary": "1 High Street\nLondon", "postcode_primary": "sw1a1aa",
    })
}

/// Returns complete answers of a European quote for two single trips.
pub fn trip_answers() -> Answers {
    let mut values = policyholder();
    let cover = json!({ "cover_type": 1, "cover_level": 5, "cover_length": 2, "excess": 1 });
    values
        .as_object_mut()
        .unwrap()
        .extend(cover.as_object().unwrap().clone());
    let trips = json!({ "trips": [
        { "trip_destination": "FR", "trip_start_date": "10.12.2026", "trip_end_date": "16.12.2026" },
        { "trip_destination": "IT", "trip_start_date": "01.12.2026", "trip_end_date": "03.12.2026" },
    ] });
    answers(values, trips)
}

#[test]
fn the_built_in_products_have_no_mistakes() {
    let catalogue = Catalogue::load(None).unwrap();
    assert_eq!(catalogue.list().len(), builtin().len());
}

#[test]
fn a_folder_replaces_and_adds_products() {
    let folder = tempfile::tempdir().unwrap();
    let dearer = builtin()[0]
        .1
        .replace("title = \"Vehicle breakdown cover\"", "title = \"Dearer\"");
    std::fs::write(folder.path().join("breakdown.toml"), dearer).unwrap();
    put_documents(folder.path());
    let gadget = include_str!("../fixtures/gadget.toml");
    std::fs::write(folder.path().join("gadget.toml"), gadget).unwrap();
    std::fs::write(folder.path().join("notes.txt"), "not a product").unwrap();
    let catalogue = Catalogue::load(Some(folder.path())).unwrap();
    let titles: Vec<_> = catalogue
        .list()
        .iter()
        .map(|e| &e.product.info().product_title)
        .collect();
    assert_eq!(titles, ["Dearer", "Gadget cover (a test's)"]);

    for (from, to, says) in [
        ("", "", "`effective_from` must differ from that in"),
        (
            "2026-01-01",
            "2027-01-01",
            "`version` must differ from that in",
        ),
        (
            "\"GAD\"",
            "\"GAG\"",
            "of `id`, `identifier` and `reference_prefix` all or none must be the same as in",
        ),
    ] {
        let twin = gadget.replacen(from, to, 1);
        std::fs::write(folder.path().join("twin.toml"), twin).unwrap();
        let mistakes = Catalogue::load(Some(folder.path())).unwrap_err();
        assert_eq!(
            mistakes[0].to_string(),
            format!("twin.toml:1: {says} gadget.toml")
        );
    }
    assert!(Catalogue::load(Some(&folder.path().join("absent"))).is_err());
}

#[test]
fn wrong_terms_of_monthly_payment_are_named_with_their_line() {
    let whole = builtin()[0].1;
    let line = whole.lines().position(|line| line == "payments = 12");
    let line = line.unwrap() + 1;
    let payments = "`payments` is a number from 2 to 60";
    let unknown = |key: &str| format!("unknown field `{key}`, expected `payments` or `minimum`");
    let cases = [
        ("payments = 1", line, payments.to_owned()),
        ("payments = 61", line, payments.to_owned()),
        ("payments = 4294967298", line, payments.to_owned()),
        (
            "payments = \"12\"",
            line,
            "`payments`: invalid type: string \"12\", expected i64".into(),
        ),
        ("# none", line - 1, "missing field `payments`".into()),
        (
            "payments = 12\nflat_rate_percent = 0",
            line + 1,
            unknown("flat_rate_percent"),
        ),
        (
            "payments = 12\ndeposit_percent = 10",
            line + 1,
            unknown("deposit_percent"),
        ),
    ];
    for (wrong, line, says) in cases {
        let text = whole.replacen("payments = 12", wrong, 1);
        let mistakes = try_parse("b.toml", &text).unwrap_err();
        let lines: Vec<_> = mistakes.iter().map(ToString::to_string).collect();
        assert_eq!(lines, [format!("b.toml:{line}: {says}")], "{wrong}");
    }
    let negative = whole.replacen("minimum = 40.00", "minimum = -0.01", 1);
    let mistakes = try_parse("b.toml", &negative).unwrap_err();
    let expected = format!("b.toml:{}: `minimum` can't be negative", line + 1);
    assert_eq!(mistakes[0].to_string(), expected);
    // Production refuses more than 12, and development shows at most 12.
    parse(
        "b.toml",
        &whole.replacen("payments = 12", "payments = 24", 1),
    );
}

#[tokio::test]
async fn a_version_is_on_sale_from_its_day() {
    let folder = tempfile::tempdir().unwrap();
    let next = builtin()[0].1.replace("2024-01-01", "2027-01-01");
    let next = next.replace("version = \"2026.8\"", "version = \"2027.1\"");
    std::fs::write(folder.path().join("breakdown-2027.toml"), next).unwrap();
    put_documents(folder.path());
    let catalogue = Catalogue::load(Some(folder.path())).unwrap();
    let store = layby::store::Store::in_memory().unwrap();
    let registry = layby::app::products::ProductRegistry::register(&store, catalogue);
    let registry = registry.await.unwrap();
    let on = |text: &str| {
        let versions = registry.on_sale(day(text)).into_iter();
        versions
            .map(|registered| registered.product.version().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(on("2023-12-31"), Vec::<String>::new());
    assert_eq!(on("2026-12-31"), ["2026.8", "2026.8"]);
    assert_eq!(on("2027-01-01"), ["2027.1", "2026.8"]);
    for (identifier, word, date, expected) in [
        ("breakdown", None, "2026-12-31", true),
        ("breakdown", Some("local"), "2026-12-31", true),
        ("breakdown", Some("moon"), "2026-12-31", false),
        ("breakdown", None, "2023-12-31", false),
        ("1", None, "2026-12-31", false),
        ("moon", None, "2026-12-31", false),
    ] {
        let found = registry.is_on_sale(identifier, word, day(date));
        assert_eq!(found, expected, "{identifier} {word:?} {date}");
    }
}

#[test]
fn the_form_moves_with_the_day() {
    let product = breakdown();
    let form = product.form_for(today());
    let start = &form.datasets[0].fields[4];
    assert_eq!(start.value, json!("22.11.2026"));
    let born = &form.datasets[1].fields[4];
    let youngest = born.validation.max_date.as_ref().unwrap();
    assert_eq!(
        today() + chrono::Days::new(0) - chrono::Duration::days(-youngest.days),
        day("2009-11-21")
    );
    assert!(product.form().datasets[0].fields[4].value.is_null());
    assert!(product.info().price_from.is_some());
    assert!(product.stepper_in("quote").is_some());
    assert!(product.stepper_in("renewal").is_none());
}
