//! Checks `[reach]`: how far each choice reaches, as the first page draws it.

use super::file;
use super::names::{NameScope, Names};
use super::source::Place;
use crate::domain::product::fields::Field;
use crate::domain::product::first_page::{DRAWN, Level, Reach};

/// How far each choice reaches. Every choice needs its level, since one without would be drawn
/// as if it covered nothing.
pub(super) fn reach(names: &Names, file: &file::Reach, place: Place) -> Reach {
    let choices = options(names, &file.field, place.key("field"));
    if file.countries.is_empty() {
        place
            .key("countries")
            .report("`countries` needs at least one country");
    }
    for country in &file.countries {
        check_drawn(country, place.key("countries"));
    }
    place.check_count("home_miles", file.home_miles);
    place.check_count("tow_miles", file.tow_miles);
    let levels = file.levels.iter().zip(place.items("level"));
    let mut levels: Vec<Level> = levels
        .map(|(file, place)| level(names, file, place))
        .collect();
    let at = |level: &Level| {
        let mut options = choices.iter().flat_map(|field| &field.options);
        options.position(|option| option.value == level.value)
    };
    for level in &levels {
        if choices.is_some() && at(level).is_none() {
            let text = format!("{} is no option of `{}`", level.value, file.field);
            place.key("level").report(text);
        }
    }
    for option in choices.iter().flat_map(|field| &field.options) {
        let matching = levels.iter().filter(|level| level.value == option.value);
        match matching.count() {
            1 => {}
            0 => place.report(format!("no `level` says how far {} reaches", option.value)),
            _ => place.report(format!("`level` {} is there twice", option.value)),
        }
    }
    levels.sort_by_key(at);
    Reach {
        field: file.field.clone(),
        countries: file.countries.clone(),
        home_miles: file.home_miles,
        tow_miles: file.tow_miles,
        levels,
    }
}

fn level(names: &Names, file: &file::Level, place: Place) -> Level {
    if file.abroad.is_some() != file.abroad_help.is_some() {
        place.report("`abroad` and `abroad_help` go together");
    }
    let at = place.key("abroad");
    let field = file.abroad.as_ref();
    let field = field.and_then(|name| options(names, name, at));
    let codes = field.into_iter().flat_map(|field| &field.options);
    let codes = codes.map(|option| option.value.as_str().unwrap_or_default());
    let codes = codes.filter(|code| check_drawn(code, at));
    Level {
        value: file.value.clone(),
        at_home: file.at_home,
        recovery: file.recovery.clone(),
        abroad: codes.map(str::to_owned).collect(),
        abroad_help: file.abroad_help.clone(),
    }
}

/// Whether the map has an outline of a country; reports one that it hasn't.
fn check_drawn(code: &str, place: Place) -> bool {
    let is_known = DRAWN.contains(&code);
    if !is_known {
        place.report(format!("the map has no outline of a country `{code}`"));
    }
    is_known
}

/// A field whose answer is one of a list.
fn options<'a>(names: &Names<'a>, name: &str, place: Place) -> Option<&'a Field> {
    let found = names.resolve(name, NameScope::default());
    let found = found.and_then(|field_ref| match names.field(field_ref) {
        Some(field) if field.kind.has_options() => Ok(field),
        _ => Err(format!("`{name}` has no options")),
    });
    found.map_err(|text| place.report(text)).ok()
}
