//! Looks up the names a form uses and compiles it.

use std::collections::HashSet;

use serde_json::Value;

use super::names::{NameScope, Names, can_be_answer};
use super::read_form::{RawDataset, RawDateLimit, RawDefault, RawField};
use super::reader::FileReader;
use crate::domain::condition::{Condition, Literal};
use crate::domain::product::compiled::{
    Bounds, CompiledDataset, CompiledDateLimit, CompiledField, CompiledLookup, CompiledOptions,
    StartValue,
};
use crate::domain::product::fields::{Dataset, Field, FieldKind};

/// Most characters of a text whose field doesn't say.
const MAX_TEXT: usize = 100;
/// Most characters of an address whose field doesn't say.
const MAX_ADDRESS: usize = 300;

pub(super) fn compile(
    published: &[Dataset],
    raw: &[RawDataset],
    names: &Names,
    source: &FileReader,
) -> Vec<CompiledDataset> {
    unique_names(published, raw, source);
    let compiler = FormCompiler { names, source };
    published
        .iter()
        .zip(raw)
        .enumerate()
        .map(|(d, (published, raw))| compiler.dataset(d, published, raw))
        .collect()
}

fn unique_names(published: &[Dataset], raw: &[RawDataset], source: &FileReader) {
    let (mut ids, mut identifiers, mut top) = (HashSet::new(), HashSet::new(), HashSet::new());
    for (published, raw) in published.iter().zip(raw) {
        if !ids.insert(published.id) {
            source.report(
                raw.line,
                format!("dataset id {} is there twice", published.id),
            );
        }
        let name = published.identifier.as_str();
        if !identifiers.insert(name) {
            source.report(raw.line, format!("dataset `{name}` is there twice"));
        }
        if name.contains('.') || name.is_empty() {
            source.report(raw.line, "a dataset's identifier is a word without a dot");
        }
        let mut own = HashSet::new();
        for (field, raw) in published.fields.iter().zip(&raw.fields) {
            let twice = if published.multi {
                !own.insert(field.name.as_str())
            } else {
                !top.insert(field.name.as_str())
            };
            if twice {
                source.report(raw.line, format!("field `{}` is there twice", field.name));
            }
            if field.name.contains(['.', '{', '}']) {
                source.report(raw.line, "a field's name has no dots or braces");
            }
        }
        if let Some(count) = &published.count_field
            && !top.insert(count)
        {
            source.report(raw.line, format!("field `{count}` is there twice"));
        }
    }
}

struct FormCompiler<'a> {
    names: &'a Names<'a>,
    source: &'a FileReader<'a>,
}

impl FormCompiler<'_> {
    fn dataset(&self, d: usize, published: &Dataset, raw: &RawDataset) -> CompiledDataset {
        let own = published.multi.then_some(d);
        let whole = NameScope {
            own: None,
            before: Some((d, 0)),
        };
        let visible_when = self.rule(published.visible_when.as_ref(), raw.visible_line, whole);
        let mut fields = Vec::new();
        for (f, (field, raw)) in published.fields.iter().zip(&raw.fields).enumerate() {
            let before = Some((d, f));
            let mut compiled = self.field(field, raw, NameScope { own, before });
            compiled.lookup = self.lookup(published, field, raw);
            fields.push(compiled);
        }
        for instance in raw.assume.iter().chain(&raw.samples) {
            self.names.check_instance(self.source, d, instance);
        }
        CompiledDataset {
            name: published.identifier.clone(),
            multi: published.multi,
            min: published.min,
            max: published.max,
            count_field: published.count_field.clone(),
            plural: published.plural.clone().unwrap_or_default(),
            visible_when,
            fields,
            assume: raw.assume.as_ref().map(|(values, _)| values.clone()),
            samples: raw.samples.iter().map(|(v, _)| v.clone()).collect(),
            rating: false,
        }
    }

    fn field(&self, published: &Field, raw: &RawField, scope: NameScope) -> CompiledField {
        let visible_when = self.rule(published.visible_when.as_ref(), raw.visible_line, scope);
        let options = self.options(published, raw, scope);
        let mut default = raw
            .default
            .as_ref()
            .and_then(|d| self.default(published, d, scope));
        if default.is_none() && published.kind == FieldKind::Checkbox {
            default = Some(StartValue::Value(false.into()));
        }
        let price_default = raw.price_default.iter().filter_map(|(when, value)| {
            let rule = match when {
                Some((condition, line)) => Some(self.rule(Some(condition), *line, scope)?),
                None => None,
            };
            Some((rule, self.default(published, value, scope)?))
        });
        let price_default = price_default.collect::<Vec<_>>();
        if !price_default.is_empty() && !published.rateable {
            let text = format!(
                "`{}` has a `price_default` but isn't `rateable`",
                published.name
            );
            self.source.report(raw.line, text);
        }
        let limit =
            |limit: &Option<RawDateLimit>| limit.as_ref().and_then(|l| self.limit(l, scope));
        CompiledField {
            name: published.name.clone(),
            kind: published.kind,
            visible_when,
            required: published.required,
            required_when: self.rule(published.required_when.as_ref(), raw.required_line, scope),
            lookup: None,
            force_hidden: published.force_hidden,
            rateable: published.rateable,
            rating: published.rateable,
            underwriting: false,
            at_accept: raw.at_accept,
            unique: raw.unique,
            locked: false,
            computed: limit(&raw.computed),
            default,
            price_default,
            options,
            bounds: bounds(published),
            min_date: limit(&raw.min_date),
            max_date: limit(&raw.max_date),
            missing: raw.missing.clone().unwrap_or_else(|| missing(published)),
        }
    }

    fn rule(
        &self,
        condition: Option<&Condition>,
        line: usize,
        scope: NameScope,
    ) -> Option<crate::domain::product::compiled::Rule> {
        self.names.rule(self.source, condition?, line, scope)
    }

    /// The places of the fields that a look-up answers; one that isn't there, or is of another kind, is
    /// reported.
    fn lookup(
        &self,
        dataset: &Dataset,
        published: &Field,
        raw: &RawField,
    ) -> Option<CompiledLookup> {
        let lookup = published.lookup.as_ref()?;
        let place = |name: &Option<String>, kind: FieldKind| {
            let name = name.as_ref()?;
            let found = dataset.fields.iter().position(|field| field.name == *name);
            let fits = |at: &usize| dataset.fields.get(*at).is_some_and(|f| f.kind == kind);
            if found.as_ref().is_none_or(|at| !fits(at)) {
                let named = FieldKind::ALL.iter().find(|(_, known)| *known == kind);
                let (named, _) = named.unwrap_or(&("text", FieldKind::Text));
                self.source.report(
                    raw.lookup_line,
                    format!("`{name}` is no field of kind `{named}` in this dataset"),
                );
            }
            found
        };
        place(&lookup.lines, FieldKind::Address);
        Some(CompiledLookup {
            make: place(&lookup.make, FieldKind::Text),
            model: place(&lookup.model, FieldKind::Text),
            colour: place(&lookup.colour, FieldKind::Text),
            fuel: place(&lookup.fuel, FieldKind::Text),
            first_registered: place(&lookup.first_registered, FieldKind::Date),
        })
    }

    fn options(&self, published: &Field, raw: &RawField, scope: NameScope) -> CompiledOptions {
        let mut options = CompiledOptions::default();
        for (option, line) in published.options.iter().zip(&raw.option_lines) {
            let rule = self.rule(option.visible_when.as_ref(), *line, scope);
            if let Some(value) = Literal::of(&option.value) {
                options.push(value, option.text.clone(), rule);
            }
        }
        options
    }

    fn default(&self, published: &Field, raw: &RawDefault, scope: NameScope) -> Option<StartValue> {
        match raw {
            RawDefault::Date(limit) => {
                if published.kind != FieldKind::Date {
                    self.source
                        .report(limit.line, format!("`{}` isn't a date", published.name));
                }
                self.limit(limit, scope).map(StartValue::Date)
            }
            RawDefault::Value(value, line) => {
                if let Err(text) = check_default(published, value) {
                    self.source.report(*line, text);
                }
                Some(StartValue::Value(value.clone()))
            }
        }
    }

    fn limit(&self, raw: &RawDateLimit, scope: NameScope) -> Option<CompiledDateLimit> {
        let from = if raw.from == "today" {
            None
        } else {
            match self.names.date(&raw.from, scope) {
                Ok(field_ref) => Some(field_ref),
                Err(text) => {
                    self.source.report(raw.line, text);
                    return None;
                }
            }
        };
        Some(CompiledDateLimit {
            from,
            months: i32::try_from(raw.months).ok()?,
            days: raw.days,
        })
    }
}

/// Reports a default that the field can't have as its answer.
fn check_default(published: &Field, value: &Value) -> Result<(), String> {
    let name = &published.name;
    if Literal::of(value).is_some_and(|value| can_be_answer(published, &value)) {
        Ok(())
    } else if published.kind.has_options() {
        Err(format!("default {value} is no option of `{name}`"))
    } else {
        Err(format!("default {value} doesn't fit `{name}`"))
    }
}

fn bounds(published: &Field) -> Bounds {
    let validation = &published.validation;
    let most = if published.kind == FieldKind::Address {
        MAX_ADDRESS
    } else {
        MAX_TEXT
    };
    Bounds {
        min_length: validation.min_length.unwrap_or(0),
        max_length: validation.max_length.unwrap_or(most),
        min: validation.min,
        max: validation.max,
    }
}

fn missing(published: &Field) -> String {
    let mut label = published.label.clone();
    if let Some(first) = label.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    match published.kind {
        FieldKind::Checkbox => format!("Tick the box: {label}"),
        kind if kind.has_options() => format!("Choose an answer: {label}"),
        _ => format!("Enter {label}"),
    }
}
