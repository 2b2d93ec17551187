//! Resolves the names in a form and compiles the form.

use super::names::{NameScope, Names, can_be_answer};
use super::source::SourceLine;
use crate::domain::product::compiled::{
    Bounds, CompiledDataset, CompiledDateLimit, CompiledField, CompiledLookup, CompiledOptions,
    Rule, StartValue,
};
use crate::domain::product::condition::{Condition, Literal};
use crate::domain::product::field_kind::FieldKind;
use crate::domain::product::fields::{Dataset, DateLimit, Field, Start};

pub(super) fn compile(
    datasets: &[Dataset],
    names: &Names,
    root: SourceLine,
) -> Vec<CompiledDataset> {
    let compiler = FormCompiler { names };
    let places = root.items("dataset").into_iter().enumerate();
    let datasets = datasets.iter().zip(places);
    datasets
        .map(|(dataset, (d, place))| compiler.dataset(d, dataset, place))
        .collect()
}

struct FormCompiler<'a> {
    names: &'a Names<'a>,
}

impl FormCompiler<'_> {
    fn dataset(&self, d: usize, dataset: &Dataset, place: SourceLine) -> CompiledDataset {
        let own = dataset.multi.then_some(d);
        let whole = NameScope {
            own: None,
            before: Some((d, 0)),
        };
        let fields = dataset.fields.iter().zip(place.items("field")).enumerate();
        let fields = fields.map(|(f, (field, place))| {
            let before = Some((d, f));
            let mut compiled = self.field(field, place, NameScope { own, before });
            compiled.lookup = lookup(dataset, field, place.key("lookup"));
            compiled
        });
        let fields = fields.collect();
        let samples = dataset.samples.iter().zip(place.items("samples"));
        let assume = dataset.assume.iter();
        let assume = assume.map(|values| (values, place.key("assume")));
        for (values, place) in assume.chain(samples) {
            self.names.check_instance(place, d, values);
        }
        CompiledDataset {
            name: dataset.identifier.clone(),
            multi: dataset.multi,
            min: dataset.min,
            max: dataset.max,
            count_field: dataset.count_field.clone(),
            plural: dataset.plural.clone().unwrap_or_default(),
            visible_when: self.rule(&dataset.visible_when, place.key("visible_when"), whole),
            fields,
            assume: dataset.assume.clone(),
            rating: false,
        }
    }

    fn field(&self, field: &Field, place: SourceLine, scope: NameScope) -> CompiledField {
        let default = field.start.as_ref();
        let default =
            default.and_then(|start| self.start(field, start, place.key("default"), scope));
        let unticked = || {
            let is_checkbox = field.kind == FieldKind::Checkbox;
            is_checkbox.then(|| StartValue::Value(false.into()))
        };
        let cases = field.price_default.iter().zip(place.items("price_default"));
        let price_default: Vec<_> = cases
            .filter_map(|(case, place)| {
                let rule = self.rule(&case.when, place.key("when"), scope);
                let start = self.start(field, &case.value, place.key("value"), scope)?;
                (rule.is_some() == case.when.is_some()).then_some((rule, start))
            })
            .collect();
        if !price_default.is_empty() && !field.rateable {
            place.report(format!(
                "`{}` has a `price_default` but isn't `rateable`",
                field.name
            ));
        }
        let limit = |key: &str, limit: &Option<DateLimit>| {
            self.date(limit.as_ref()?, place.key(key), scope)
        };
        let rule = |key: &str, condition| self.rule(condition, place.key(key), scope);
        CompiledField {
            name: field.name.clone(),
            kind: field.kind,
            visible_when: rule("visible_when", &field.visible_when),
            required: field.required,
            required_when: rule("required_when", &field.required_when),
            lookup: None,
            force_hidden: field.force_hidden,
            rateable: field.rateable,
            rating: field.rateable,
            underwriting: false,
            at_accept: field.asked_at_accept,
            unique: field.unique,
            locked: false,
            computed: limit("value_from", &field.value_from),
            default: default.or_else(unticked),
            price_default,
            options: self.options(field, place, scope),
            bounds: bounds(field),
            min_date: limit("min_date", &field.min_date),
            max_date: limit("max_date", &field.max_date),
            missing: field
                .missing
                .clone()
                .unwrap_or_else(|| missing_message(field)),
        }
    }

    fn rule(
        &self,
        condition: &Option<Condition>,
        place: SourceLine,
        scope: NameScope,
    ) -> Option<Rule> {
        self.names.rule(condition.as_ref()?, place, scope)
    }

    fn options(&self, field: &Field, place: SourceLine, scope: NameScope) -> CompiledOptions {
        let mut options = CompiledOptions::default();
        let places = place.items("options");
        for (index, option) in field.options.iter().enumerate() {
            let place = places.get(index).copied().unwrap_or(place);
            let place = place.key("visible_when");
            let rule = self.rule(&option.visible_when, place, scope);
            if let Some(value) = Literal::from_json(&option.value) {
                options.push(value, option.text.clone(), rule);
            }
        }
        options
    }

    fn start(
        &self,
        field: &Field,
        start: &Start,
        place: SourceLine,
        scope: NameScope,
    ) -> Option<StartValue> {
        let answer = match start {
            Start::Date(date) => {
                if field.kind != FieldKind::Date {
                    place.report(format!("`{}` isn't a date", field.name));
                }
                return self.date(date, place, scope).map(StartValue::Date);
            }
            Start::Answer(answer) => answer,
        };
        let (name, value) = (&field.name, answer.json());
        if !can_be_answer(field, answer) {
            place.report(if field.kind.has_options() {
                format!("default {value} is no option of `{name}`")
            } else {
                format!("default {value} doesn't fit `{name}`")
            });
        }
        Some(StartValue::Value(value))
    }

    fn date(
        &self,
        date: &DateLimit,
        place: SourceLine,
        scope: NameScope,
    ) -> Option<CompiledDateLimit> {
        let from = if date.is_from_today() {
            None
        } else {
            let found = self.names.date(&date.from, scope);
            Some(found.map_err(|text| place.report(text)).ok()?)
        };
        Some(CompiledDateLimit {
            from,
            months: i32::try_from(date.all_months()).ok()?,
            days: date.days,
        })
    }
}

/// Returns the fields that a look-up fills, as indexes in the dataset. Returns `None` for a field
/// without a look-up. Reports fields that are missing or of another kind.
fn lookup(dataset: &Dataset, field: &Field, place: SourceLine) -> Option<CompiledLookup> {
    let fills = &field.lookup.as_ref()?.fills;
    let find = |name: &Option<String>, kind: FieldKind, word: &str| {
        let name = name.as_ref()?;
        let found = dataset.fields.iter().position(|field| field.name == *name);
        let field = found.and_then(|index| dataset.fields.get(index));
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

fn bounds(field: &Field) -> Bounds {
    let validation = &field.validation;
    let max = field.kind.default_max_length();
    Bounds {
        min_length: validation.min_length.unwrap_or(0),
        max_length: validation.max_length.unwrap_or(max),
        min: validation.min,
        max: validation.max,
    }
}

fn missing_message(field: &Field) -> String {
    let mut label = field.label.clone();
    if let Some(first) = label.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    field.kind.missing_text(&label)
}
