//! The map on the first page never shows more cover than the wording grants. Every country has an outline.

use std::collections::BTreeSet;

use layby::domain::product::first_page::DRAWN;
use layby::products::{builtin, builtin_documents};
use serde_json::Value;

use super::{parse, try_parse};

fn outlines() -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/ui/src/shared/map/outlines.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_website_has_an_outline_of_every_country_that_a_file_can_name() {
    let europe = &outlines()["europe"];
    let drawn: BTreeSet<&str> = ["lands", "dots"]
        .iter()
        .flat_map(|kind| europe[kind].as_object().unwrap().keys())
        .map(String::as_str)
        .collect();
    assert_eq!(drawn, BTreeSet::from(DRAWN));
}

/// The wording of breakdown cover and the map state the same facts in two texts.
#[test]
fn the_map_reaches_where_the_wording_does() {
    let wording = builtin_documents()[0].1;
    let product = parse(builtin()[0].0, builtin()[0].1);
    let info = product.info();
    let map = info.coverage_map.as_ref().unwrap();
    assert_eq!(map.countries, ["GB", "IM", "GG", "JE"]);
    assert!(wording.contains("the United Kingdom, the Isle of Man and the Channel Islands"));
    assert_eq!((map.home_miles, map.tow_miles), (1, 10));
    assert!(wording.contains("the public road within one mile of it in a straight line"));
    assert!(wording.contains("within 10 miles of the breakdown"));

    let of = |value: i64| {
        let mut levels = map.levels.iter();
        levels.find(|level| level.value == value).unwrap()
    };
    let home: Vec<bool> = (1..=5).map(|value| of(value).at_home).collect();
    assert_eq!(home, [false, true, false, true, true]);
    assert!(wording.contains("counts with Local and home, National and home, and European cover"));
    let recovered: Vec<bool> = (1..=5).map(|value| of(value).recovery.is_some()).collect();
    assert_eq!(recovered, [false, false, true, true, true]);
    assert!(wording.contains("to one place in the mainland United Kingdom"));

    let form = product.form();
    let mut fields = form.datasets.iter().flat_map(|set| &set.fields);
    let destination = fields.find(|field| field.name == "trip_destination");
    let options = &destination.unwrap().options;
    assert_eq!(of(5).abroad.len(), options.len());
    for option in options {
        let name = option.label.as_str();
        assert!(wording.contains(name), "the wording doesn't name {name}");
        assert!(
            of(5)
                .abroad
                .iter()
                .any(|code| option.value == code.as_str())
        );
    }
    assert!((1..=4).all(|value| of(value).abroad.is_empty()));
}

#[test]
fn a_product_without_them_has_neither() {
    let product = parse(builtin()[1].0, builtin()[1].1);
    let info = product.info();
    assert!(info.coverage_map.is_none() && info.start_field.is_none());
    assert!(try_parse("b.toml", "[coverage_map]\nfield = \"level\"\n").is_err());
}
