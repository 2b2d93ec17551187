//! Reads `[reach]`: how far each choice reaches, as the first page draws it.

use serde_json::Value;

use super::names::{NameScope, Names};
use super::reader::Section;
use crate::domain::product::fields::Field;
use crate::domain::product::first_page::{DRAWN, Level, Reach};

/// What is needed to read it.
pub(super) struct Reader<'a> {
    pub(super) names: &'a Names<'a>,
}

impl<'a> Reader<'a> {
    /// How far each choice reaches. Every choice needs its level, since one without would be drawn
    /// as if it covered nothing.
    pub(super) fn reach(&self, section: Section) -> Reach {
        let field = section.need_text("field");
        let choices = self.options(&section, "field", &field);
        let countries = section.texts("countries");
        if countries.is_empty() {
            section.report_at("countries", "`countries` needs at least one country");
        }
        for country in &countries {
            self.drawn(&section, "countries", country);
        }
        let levels = section.sections("level");
        let mut levels: Vec<Level> = levels.into_iter().map(|level| self.level(level)).collect();
        let at = |level: &Level| {
            let mut options = choices.iter().flat_map(|field| &field.options);
            options.position(|option| option.value == level.value)
        };
        for level in &levels {
            if choices.is_some() && at(level).is_none() {
                let value = &level.value;
                section.report_at("level", format!("{value} is no option of `{field}`"));
            }
        }
        for option in choices.iter().flat_map(|field| &field.options) {
            let told = levels.iter().filter(|level| level.value == option.value);
            match told.count() {
                1 => {}
                0 => section.report(format!("no `level` says how far {} reaches", option.value)),
                _ => section.report(format!("`level` {} is there twice", option.value)),
            }
        }
        levels.sort_by_key(at);
        let reach = Reach {
            field,
            countries,
            home_miles: section.need_count("home_miles"),
            tow_miles: section.need_count("tow_miles"),
            levels,
        };
        section.done();
        reach
    }

    fn level(&self, section: Section) -> Level {
        let value = section.node("value");
        let value = value.and_then(|node| node.scalar("`value`"));
        let abroad = section.text("abroad");
        let countries = abroad.as_ref().and_then(|name| {
            let field = self.options(&section, "abroad", name)?;
            let codes = field.options.iter().filter_map(|option| {
                let code = option.value.as_str().unwrap_or_default();
                self.drawn(&section, "abroad", code)
                    .then(|| code.to_owned())
            });
            Some(codes.collect())
        });
        let level = Level {
            value: value.unwrap_or(Value::Null),
            at_home: section.flag("at_home", false),
            recovery: section.text("recovery"),
            abroad: countries.unwrap_or_default(),
            abroad_help: section.text("abroad_help"),
        };
        if abroad.is_some() != level.abroad_help.is_some() {
            section.report("`abroad` and `abroad_help` go together");
        }
        section.done();
        level
    }

    /// Whether the map has an outline of a country.
    fn drawn(&self, section: &Section, key: &str, code: &str) -> bool {
        let known = DRAWN.contains(&code);
        if !known {
            let text = format!("the map has no outline of a country `{code}`");
            section.report_at(key, text);
        }
        known
    }

    /// A field whose answer is one of a list.
    fn options(&self, section: &Section, key: &str, name: &str) -> Option<&'a Field> {
        let found = self.names.resolve(name, NameScope::default());
        let found = found.and_then(|field_ref| match self.names.field(field_ref) {
            Some(field) if field.kind.has_options() => Ok(field),
            _ => Err(format!("`{name}` has no options")),
        });
        found.map_err(|text| section.report_at(key, text)).ok()
    }
}
