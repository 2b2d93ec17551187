//! Checks `[coverage_map]`: the coverage map of the first page.

use super::names::{NameScope, Names};
use super::source::SourceLine;
use crate::domain::product::fields::Field;
use crate::domain::product::first_page::{CoverageMap, DRAWN, Level};

/// Checks and completes the coverage map. Every option needs a level, because the map would draw an
/// option without a level as no cover.
pub(super) fn complete(names: &Names, map: &mut CoverageMap, place: SourceLine) {
    let choices = options(names, &map.field, place.key("field"));
    if map.countries.is_empty() {
        place.report_key("countries", "needs at least one country");
    }
    for country in &map.countries {
        check_drawn(country, place.key("countries"));
    }
    place.check_count("home_miles", map.home_miles);
    place.check_count("tow_miles", map.tow_miles);
    for (level, place) in map.levels.iter_mut().zip(place.items("level")) {
        complete_level(names, level, place);
    }
    let area_of = |level: &Level| {
        let mut options = choices.iter().flat_map(|field| &field.options);
        options.position(|option| option.value == level.value)
    };
    for level in &map.levels {
        if choices.is_some() && area_of(level).is_none() {
            let text = format!("{} is no option of `{}`", level.value, map.field);
            place.key("level").report(text);
        }
    }
    for option in choices.iter().flat_map(|field| &field.options) {
        let levels = map.levels.iter();
        match levels.filter(|level| level.value == option.value).count() {
            1 => {}
            0 => place.report(format!("no `level` says how far {} reaches", option.value)),
            _ => place.report(format!("`level` {} is there twice", option.value)),
        }
    }
    map.levels.sort_by_key(area_of);
}

fn complete_level(names: &Names, level: &mut Level, place: SourceLine) {
    if level.abroad_field.is_some() != level.abroad_help.is_some() {
        place.report("`abroad` and `abroad_help` go together");
    }
    let abroad_key = place.key("abroad");
    let field = level.abroad_field.as_ref();
    let field = field.and_then(|name| options(names, name, abroad_key));
    let codes = field.into_iter().flat_map(|field| &field.options);
    let codes = codes.map(|option| option.value.as_str().unwrap_or_default());
    let codes = codes.filter(|code| check_drawn(code, abroad_key));
    level.abroad = codes.map(str::to_owned).collect();
}

/// Returns whether the map has an outline of a country. Reports a country without an outline.
fn check_drawn(code: &str, place: SourceLine) -> bool {
    let is_known = DRAWN.contains(&code);
    if !is_known {
        place.report(format!("the map has no outline of a country `{code}`"));
    }
    is_known
}

/// Returns the field with this name if it has options. Reports an unknown name and a field without
/// options.
fn options<'a>(names: &Names<'a>, name: &str, place: SourceLine) -> Option<&'a Field> {
    let found = names.resolve(name, NameScope::default());
    let found = found.and_then(|field_ref| match names.field(field_ref) {
        Some(field) if field.kind.has_options() => Ok(field),
        _ => Err(format!("`{name}` has no options")),
    });
    found.map_err(|text| place.report(text)).ok()
}
