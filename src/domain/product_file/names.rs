//! Turns the names of a product file into places, and says what is wrong with
//! a name that has none.

use std::collections::HashMap;

use super::read_form::RawCard;
use super::reader::FileReader;
use crate::domain::condition::{Condition, Literal, Test};
use crate::domain::product::compiled::{FieldRef, Rule};
use crate::domain::product::fields::{Dataset, Field, FieldKind};

/// Every name of a form.
pub(super) struct Names<'a> {
    datasets: &'a [Dataset],
    top: HashMap<&'a str, FieldRef>,
}

/// Where in the form a name is used: what it may see.
#[derive(Clone, Copy, Default)]
pub(super) struct NameScope {
    /// The repeatable dataset whose instance is at hand.
    pub own: Option<usize>,
    /// Only what is declared before this dataset and field; all without it.
    pub before: Option<(usize, usize)>,
}

impl<'a> Names<'a> {
    pub(super) fn of(datasets: &'a [Dataset]) -> Self {
        let mut top = HashMap::new();
        for (d, dataset) in datasets.iter().enumerate() {
            if let Some(count) = &dataset.count_field {
                top.entry(count.as_str()).or_insert(FieldRef::Count(d));
            }
            if !dataset.multi {
                for (f, field) in dataset.fields.iter().enumerate() {
                    let place = FieldRef::Cell {
                        dataset: d,
                        field: f,
                    };
                    top.entry(field.name.as_str()).or_insert(place);
                }
            }
        }
        Self { datasets, top }
    }

    pub(super) fn dataset(&self, name: &str) -> Result<usize, String> {
        let found = self.datasets.iter().position(|d| d.identifier == name);
        found.ok_or_else(|| format!("there is no dataset `{name}`"))
    }

    /// A repeatable dataset.
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

    /// The place of `field`, `dataset.field` or a count.
    pub(super) fn place(&self, name: &str, scope: NameScope) -> Result<FieldRef, String> {
        if let Some((dataset, field)) = name.split_once('.') {
            let d = self.dataset(dataset)?;
            return self
                .in_dataset(d, field)
                .ok_or_else(|| format!("dataset `{dataset}` has no field `{field}`"));
        }
        let own = scope.own.and_then(|d| self.in_dataset(d, name));
        let place = own
            .or_else(|| self.top.get(name).copied())
            .ok_or_else(|| format!("there is no field `{name}`"))?;
        if is_before(place, scope) {
            Ok(place)
        } else {
            Err(format!("`{name}` is declared later than it is used here"))
        }
    }

    pub(super) fn field(&self, place: FieldRef) -> Option<&'a Field> {
        match place {
            FieldRef::Cell { dataset, field } => self.datasets.get(dataset)?.fields.get(field),
            FieldRef::Count(_) => None,
        }
    }

    /// Whether a place belongs to a repeatable dataset, and which.
    pub(super) fn repeats(&self, place: FieldRef) -> Option<usize> {
        match place {
            FieldRef::Cell { dataset, .. } => self
                .datasets
                .get(dataset)
                .filter(|d| d.multi)
                .map(|_| dataset),
            FieldRef::Count(_) => None,
        }
    }

    pub(super) fn date(&self, name: &str, scope: NameScope) -> Result<FieldRef, String> {
        let place = self.place(name, scope)?;
        match self.field(place) {
            Some(field) if field.kind == FieldKind::Date => Ok(place),
            _ => Err(format!("`{name}` isn't a date")),
        }
    }

    /// Whether a value can be the answer of a place.
    pub(super) fn fits(&self, place: FieldRef, value: &Literal) -> Result<(), String> {
        let Some(field) = self.field(place) else {
            return match value {
                Literal::Number(_) => Ok(()),
                _ => Err("a count is compared with a number".into()),
            };
        };
        let name = &field.name;
        let fits = match (field.kind, value) {
            (kind, _) if kind.has_options() => {
                let known = |v: &Literal| {
                    field
                        .options
                        .iter()
                        .any(|o| Literal::of(&o.value).as_ref() == Some(v))
                };
                if !known(value) {
                    return Err(format!("{} is no option of `{name}`", shown(value)));
                }
                true
            }
            (FieldKind::Checkbox, value) => matches!(value, Literal::Bool(_)),
            (FieldKind::Number, value) => matches!(value, Literal::Number(_)),
            (_, value) => matches!(value, Literal::Text(_)),
        };
        if fits {
            return Ok(());
        }
        Err(format!("`{name}` can never be {}", shown(value)))
    }

    /// Reports what can't be an answer of a dataset's instance.
    pub(super) fn card_fits(&self, source: &FileReader, dataset: usize, card: &RawCard) {
        let (values, line) = card;
        for (name, value) in values {
            let fits = match (self.in_dataset(dataset, name), Literal::of(value)) {
                (Some(place), Some(value)) => self.fits(place, &value),
                _ => Err(format!("there is no field `{name}` here")),
            };
            if let Err(text) = fits {
                source.report(*line, text);
            }
        }
    }

    fn check(&self, name: &str, place: FieldRef, test: &Test) -> Result<(), String> {
        let numeric = self.field(place).is_none_or(|f| {
            f.kind == FieldKind::Number || f.options.iter().any(|o| o.value.is_number())
        });
        match test {
            Test::Is(value) => self.fits(place, value),
            Test::In(values) => values.iter().try_for_each(|value| self.fits(place, value)),
            Test::AtLeast(_) | Test::AtMost(_) if !numeric => {
                Err(format!("`{name}` isn't a number"))
            }
            _ => Ok(()),
        }
    }

    /// Compiles a condition; every wrong name in it is reported.
    pub(super) fn rule(
        &self,
        source: &FileReader,
        condition: &Condition,
        line: usize,
        scope: NameScope,
    ) -> Option<Rule> {
        condition.rename(&mut |name, test| {
            let found = self.place(name, scope).and_then(|place| {
                if name.contains('.') {
                    return Err(format!(
                        "a condition names fields without a dot, not `{name}`"
                    ));
                }
                self.check(name, place, test)?;
                Ok(place)
            });
            match found {
                Ok(place) => Some(place),
                Err(text) => {
                    source.report(line, text);
                    None
                }
            }
        })
    }
}

fn is_before(place: FieldRef, scope: NameScope) -> bool {
    let Some((dataset, field)) = scope.before else {
        return true;
    };
    match place {
        FieldRef::Cell {
            dataset: d,
            field: f,
        } => (d, f) < (dataset, field),
        FieldRef::Count(d) => d < dataset,
    }
}

/// A value as a message shows it.
pub(super) fn shown(value: &Literal) -> String {
    match value {
        Literal::Number(number) => number.to_string(),
        Literal::Bool(flag) => flag.to_string(),
        Literal::Text(text) => format!("\"{text}\""),
    }
}
