//! Resolves the names of fields in a product file, and reports names that match no field.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::source::SourceLine;
use crate::domain::product::compiled::{FieldRef, Rule};
use crate::domain::product::condition::{Condition, Literal, Test};
use crate::domain::product::field_kind::FieldKind;
use crate::domain::product::fields::{Dataset, Field};

/// The names of all datasets, fields and counts of a form.
pub(super) struct Names<'a> {
    datasets: &'a [Dataset],
    top: HashMap<&'a str, FieldRef>,
}

/// The fields that a name may mean. They depend on the place in the form that uses the name.
#[derive(Clone, Copy, Default)]
pub(super) struct NameScope {
    /// The repeatable dataset in which the name is used, if any. The dataset's own fields have
    /// priority.
    pub own: Option<usize>,
    /// The dataset and field before which the named field must be declared. `None` allows every
    /// field.
    pub before: Option<(usize, usize)>,
}

impl<'a> Names<'a> {
    pub(super) fn new(datasets: &'a [Dataset]) -> Self {
        let mut top = HashMap::new();
        for (d, dataset) in datasets.iter().enumerate() {
            if let Some(count) = &dataset.count_field {
                top.entry(count.as_str()).or_insert(FieldRef::Count(d));
            }
            if !dataset.multi {
                for (f, field) in dataset.fields.iter().enumerate() {
                    let field_ref = FieldRef::Cell {
                        dataset: d,
                        field: f,
                    };
                    top.entry(field.name.as_str()).or_insert(field_ref);
                }
            }
        }
        Self { datasets, top }
    }

    pub(super) fn dataset(&self, name: &str) -> Result<usize, String> {
        let found = self.datasets.iter().position(|d| d.identifier == name);
        found.ok_or_else(|| format!("there is no dataset `{name}`"))
    }

    /// Returns the index of the repeatable dataset `name`.
    pub(super) fn repeatable(&self, name: &str) -> Result<usize, String> {
        let d = self.dataset(name)?;
        match self.datasets.get(d) {
            Some(dataset) if dataset.multi => Ok(d),
            _ => Err(format!("dataset `{name}` doesn't repeat")),
        }
    }

    fn in_dataset(&self, d: usize, name: &str) -> Option<FieldRef> {
        let fields = &self.datasets.get(d)?.fields;
        let field = fields.iter().position(|field| field.name == name)?;
        Some(FieldRef::Cell { dataset: d, field })
    }

    /// Returns the field that `name` means: `field`, `dataset.field`, or a count. A name with a dot
    /// ignores `scope`. The error is the message for the author of the file.
    pub(super) fn resolve(&self, name: &str, scope: NameScope) -> Result<FieldRef, String> {
        if let Some((dataset, field)) = name.split_once('.') {
            let d = self.dataset(dataset)?;
            return self
                .in_dataset(d, field)
                .ok_or_else(|| format!("dataset `{dataset}` has no field `{field}`"));
        }
        let own = scope.own.and_then(|d| self.in_dataset(d, name));
        let field_ref = own
            .or_else(|| self.top.get(name).copied())
            .ok_or_else(|| format!("there is no field `{name}`"))?;
        if is_before(field_ref, scope) {
            Ok(field_ref)
        } else {
            Err(format!("`{name}` is declared later than it is used here"))
        }
    }

    pub(super) fn field(&self, field_ref: FieldRef) -> Option<&'a Field> {
        match field_ref {
            FieldRef::Cell { dataset, field } => self.datasets.get(dataset)?.fields.get(field),
            FieldRef::Count(_) => None,
        }
    }

    /// Returns the index of the repeatable dataset that contains a field. Returns `None` for other
    /// fields and for the count of a dataset.
    pub(super) fn repeatable_dataset(&self, field_ref: FieldRef) -> Option<usize> {
        match field_ref {
            FieldRef::Cell { dataset, .. } => self
                .datasets
                .get(dataset)
                .filter(|d| d.multi)
                .map(|_| dataset),
            FieldRef::Count(_) => None,
        }
    }

    pub(super) fn date(&self, name: &str, scope: NameScope) -> Result<FieldRef, String> {
        let field_ref = self.resolve(name, scope)?;
        match self.field(field_ref) {
            Some(field) if field.kind == FieldKind::Date => Ok(field_ref),
            _ => Err(format!("`{name}` isn't a date")),
        }
    }

    /// Checks whether a value can be the answer of a field. A count can only be a number.
    pub(super) fn check_value(&self, field_ref: FieldRef, value: &Literal) -> Result<(), String> {
        let Some(field) = self.field(field_ref) else {
            return match value {
                Literal::Number(_) => Ok(()),
                _ => Err("a count is compared with a number".into()),
            };
        };
        let name = &field.name;
        if can_be_answer(field, value) {
            Ok(())
        } else if field.kind.has_options() {
            Err(format!("{} is no option of `{name}`", format_value(value)))
        } else {
            Err(format!("`{name}` can never be {}", format_value(value)))
        }
    }

    /// Reports fields that the dataset lacks, and answers that its fields can't have.
    pub(super) fn check_instance(
        &self,
        place: SourceLine,
        dataset: usize,
        answers: &Map<String, Value>,
    ) {
        self.check_each(place, answers, |name| {
            let field_ref = self.in_dataset(dataset, name);
            field_ref.ok_or_else(|| format!("there is no field `{name}` here"))
        });
    }

    /// Reports unknown fields, and answers that their fields can't have.
    pub(super) fn check_answers(&self, place: SourceLine, answers: &Map<String, Value>) {
        self.check_each(place, answers, |name| {
            self.resolve(name, NameScope::default())
        });
    }

    fn check_each(
        &self,
        place: SourceLine,
        answers: &Map<String, Value>,
        find: impl Fn(&str) -> Result<FieldRef, String>,
    ) {
        for (name, value) in answers {
            let literal = Literal::from_json(value);
            let literal = literal.ok_or_else(|| format!("`{name}` must be one answer"));
            let checked = literal.and_then(|value| self.check_value(find(name)?, &value));
            if let Err(text) = checked {
                place.key(name).report(text);
            }
        }
    }

    fn check(&self, name: &str, field_ref: FieldRef, test: &Test) -> Result<(), String> {
        let numeric = self.field(field_ref).is_none_or(|f| {
            f.kind == FieldKind::Number || f.options.iter().any(|o| o.value.is_number())
        });
        match test {
            Test::Is(value) => self.check_value(field_ref, value),
            Test::In(values) => values
                .iter()
                .try_for_each(|value| self.check_value(field_ref, value)),
            Test::AtLeast(_) | Test::AtMost(_) if !numeric => {
                Err(format!("`{name}` isn't a number"))
            }
            _ => Ok(()),
        }
    }

    /// Compiles a condition. If names or values in the condition are wrong, reports each of them
    /// and returns `None`.
    pub(super) fn rule(
        &self,
        condition: &Condition,
        place: SourceLine,
        scope: NameScope,
    ) -> Option<Rule> {
        condition.rename(&mut |name, test| {
            let found = self.resolve(name, scope).and_then(|field_ref| {
                if name.contains('.') {
                    return Err(format!(
                        "a condition names fields without a dot, not `{name}`"
                    ));
                }
                self.check(name, field_ref, test)?;
                Ok(field_ref)
            });
            found.map_err(|text| place.report(text)).ok()
        })
    }
}

fn is_before(field_ref: FieldRef, scope: NameScope) -> bool {
    let Some((dataset, field)) = scope.before else {
        return true;
    };
    match field_ref {
        FieldRef::Cell {
            dataset: d,
            field: f,
        } => (d, f) < (dataset, field),
        FieldRef::Count(d) => d < dataset,
    }
}

pub(super) fn can_be_answer(field: &Field, value: &Literal) -> bool {
    if field.kind.has_options() {
        let mut options = field.options.iter();
        return options.any(|option| Literal::from_json(&option.value).as_ref() == Some(value));
    }
    field.kind.can_be_answer(value)
}

/// Returns a value in the notation of messages.
pub(super) fn format_value(value: &Literal) -> String {
    match value {
        Literal::Number(number) => number.to_string(),
        Literal::Bool(flag) => flag.to_string(),
        Literal::Text(text) => format!("\"{text}\""),
    }
}
