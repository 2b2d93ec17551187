//! Looks up the names a form uses and compiles it.

use super::form_file::{self as file, DateFrom, Start};
use super::names::{NameScope, Names, can_be_answer};
use super::source::Place;
use crate::domain::condition::{Condition, Literal};
use crate::domain::product::compiled::{
    Bounds, CompiledDataset, CompiledDateLimit, CompiledField, CompiledLookup, CompiledOptions,
    Rule, StartValue,
};
use crate::domain::product::fields::{Dataset, Field, FieldKind};

/// Most characters of a text whose field doesn't say.
const MAX_TEXT: usize = 100;
/// Most characters of an address whose field doesn't say.
const MAX_ADDRESS: usize = 300;

pub(super) fn compile(
    published: &[Dataset],
    files: &[file::Dataset],
    names: &Names,
    root: Place,
) -> Vec<CompiledDataset> {
    let compiler = FormCompiler { names };
    let datasets = published.iter().zip(files).zip(root.items("dataset"));
    datasets
        .enumerate()
        .map(|(d, ((published, file), place))| compiler.dataset(d, published, file, place))
        .collect()
}

struct FormCompiler<'a> {
    names: &'a Names<'a>,
}

impl FormCompiler<'_> {
    fn dataset(
        &self,
        d: usize,
        published: &Dataset,
        file: &file::Dataset,
        place: Place,
    ) -> CompiledDataset {
        let own = published.multi.then_some(d);
        let whole = NameScope {
            own: None,
            before: Some((d, 0)),
        };
        let fields = published.fields.iter().zip(&file.fields);
        let fields = fields.zip(place.items("field")).enumerate();
        let fields = fields.map(|(f, ((field, file), place))| {
            let before = Some((d, f));
            let mut compiled = self.field(field, file, place, NameScope { own, before });
            compiled.lookup = lookup(published, field, place.key("lookup"));
            compiled
        });
        let fields = fields.collect();
        let samples = file.samples.iter().zip(place.items("samples"));
        let assume = file
            .assume
            .iter()
            .map(|values| (values, place.key("assume")));
        for (values, place) in assume.chain(samples) {
            self.names.check_instance(place, d, values);
        }
        CompiledDataset {
            name: published.identifier.clone(),
            multi: published.multi,
            min: published.min,
            max: published.max,
            count_field: published.count_field.clone(),
            plural: published.plural.clone().unwrap_or_default(),
            visible_when: self.rule(&file.visible_when, place.key("visible_when"), whole),
            fields,
            assume: file.assume.clone(),
            samples: file.samples.clone(),
            rating: false,
        }
    }

    fn field(
        &self,
        published: &Field,
        file: &file::Field,
        place: Place,
        scope: NameScope,
    ) -> CompiledField {
        let default = file.default.as_ref();
        let default =
            default.and_then(|start| self.start(published, start, place.key("default"), scope));
        let unticked = || {
            let is_checkbox = published.kind == FieldKind::Checkbox;
            is_checkbox.then(|| StartValue::Value(false.into()))
        };
        let cases = file.price_default.iter().zip(place.items("price_default"));
        let price_default: Vec<_> = cases
            .filter_map(|(case, place)| {
                let rule = self.rule(&case.when, place.key("when"), scope);
                let start = self.start(published, &case.value, place.key("value"), scope)?;
                (rule.is_some() == case.when.is_some()).then_some((rule, start))
            })
            .collect();
        if !price_default.is_empty() && !published.rateable {
            place.report(format!(
                "`{}` has a `price_default` but isn't `rateable`",
                published.name
            ));
        }
        let limit =
            |key: &str, limit: &Option<DateFrom>| self.date(limit.as_ref()?, place.key(key), scope);
        let rule = |key: &str, condition| self.rule(condition, place.key(key), scope);
        CompiledField {
            name: published.name.clone(),
            kind: published.kind,
            visible_when: rule("visible_when", &file.visible_when),
            required: published.required,
            required_when: rule("required_when", &file.required_when),
            lookup: None,
            force_hidden: published.force_hidden,
            rateable: published.rateable,
            rating: published.rateable,
            underwriting: false,
            at_accept: file.asked_at_accept,
            unique: file.unique,
            locked: false,
            computed: limit("value_from", &file.value_from),
            default: default.or_else(unticked),
            price_default,
            options: self.options(published, place, scope),
            bounds: bounds(published),
            min_date: limit("min_date", &file.min_date),
            max_date: limit("max_date", &file.max_date),
            missing: file.missing.clone().unwrap_or_else(|| missing(published)),
        }
    }

    fn rule(&self, condition: &Option<Condition>, place: Place, scope: NameScope) -> Option<Rule> {
        self.names.rule(condition.as_ref()?, place, scope)
    }

    fn options(&self, published: &Field, place: Place, scope: NameScope) -> CompiledOptions {
        let mut options = CompiledOptions::default();
        let places = place.items("options");
        for (index, option) in published.options.iter().enumerate() {
            let place = places.get(index).copied().unwrap_or(place);
            let place = place.key("visible_when");
            let rule = self.rule(&option.visible_when, place, scope);
            if let Some(value) = Literal::of(&option.value) {
                options.push(value, option.text.clone(), rule);
            }
        }
        options
    }

    fn start(
        &self,
        published: &Field,
        start: &Start,
        place: Place,
        scope: NameScope,
    ) -> Option<StartValue> {
        let answer = match start {
            Start::Date(date) => {
                if published.kind != FieldKind::Date {
                    place.report(format!("`{}` isn't a date", published.name));
                }
                return self.date(date, place, scope).map(StartValue::Date);
            }
            Start::Answer(answer) => answer,
        };
        let (name, value) = (&published.name, answer.json());
        if !can_be_answer(published, answer) {
            place.report(if published.kind.has_options() {
                format!("default {value} is no option of `{name}`")
            } else {
                format!("default {value} doesn't fit `{name}`")
            });
        }
        Some(StartValue::Value(value))
    }

    fn date(&self, date: &DateFrom, place: Place, scope: NameScope) -> Option<CompiledDateLimit> {
        let from = if date.is_from_today() {
            None
        } else {
            let found = self.names.date(&date.from, scope);
            Some(found.map_err(|text| place.report(text)).ok()?)
        };
        Some(CompiledDateLimit {
            from,
            months: i32::try_from(date.months()).ok()?,
            days: date.days,
        })
    }
}

/// The places of the fields that a look-up answers; one that isn't there, or is of another kind, is
/// reported.
fn lookup(dataset: &Dataset, published: &Field, place: Place) -> Option<CompiledLookup> {
    let fills = &published.lookup.as_ref()?.fills;
    let find = |name: &Option<String>, kind: FieldKind, word: &str| {
        let name = name.as_ref()?;
        let found = dataset.fields.iter().position(|field| field.name == *name);
        let field = found.and_then(|at| dataset.fields.get(at));
        if field.is_none_or(|field| field.kind != kind) {
            place.report(format!(
                "`{name}` is no field of kind `{word}` in this dataset"
            ));
        }
        found
    };
    let text = |name| find(name, FieldKind::Text, "text");
    find(&fills.lines, FieldKind::Address, "address");
    Some(CompiledLookup {
        make: text(&fills.make),
        model: text(&fills.model),
        colour: text(&fills.colour),
        fuel: text(&fills.fuel),
        first_registered: find(&fills.first_registered, FieldKind::Date, "date"),
    })
}

fn bounds(published: &Field) -> Bounds {
    let validation = &published.validation;
    let max = if published.kind == FieldKind::Address {
        MAX_ADDRESS
    } else {
        MAX_TEXT
    };
    Bounds {
        min_length: validation.min_length.unwrap_or(0),
        max_length: validation.max_length.unwrap_or(max),
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
