//! The differences between the answers in force and the new answers, in the customer's words. An
//! instance is matched by its answers, not by its index.

use serde_json::{Map, Value};

use super::AnswerChange;
use super::changed_answers::answer;
use crate::domain::product::Product;
use crate::domain::product::compiled::{CompiledDataset, CompiledField, FieldRef};
use crate::domain::product::condition::Scalar;
use crate::domain::product::fields::{Dataset, Field};
use crate::domain::quote::answers::Answers;
use crate::domain::quote::formatted_answers;
use crate::domain::quote::policyholder;

/// The highest number of answers in the name of an instance without a registration.
const NAMING: usize = 3;

/// Returns every answer that differs, dataset by dataset in the order of the form. Fields that are
/// asked at each sale are left out. An added or removed instance of a repeatable dataset is one
/// difference.
#[must_use]
pub fn differences(product: &Product, before: &Answers, after: &Answers) -> Vec<AnswerChange> {
    let mut changes = Vec::new();
    let datasets = product.compiled.datasets.iter();
    for (number, (dataset, published)) in datasets.zip(&product.form.datasets).enumerate() {
        let comparison = AnswerComparison {
            product,
            number,
            dataset,
            published,
        };
        if dataset.multi {
            let (old, new) = (before.rows(&dataset.name), after.rows(&dataset.name));
            comparison.instances(old, new, &mut changes);
        } else {
            comparison.answers(&before.values, &after.values, None, &mut changes);
        }
    }
    changes
}

type Instance = Map<String, Value>;
/// A rule that decides whether two instances describe the same vehicle, person or trip.
type Sameness<'a> = &'a dyn Fn(&Instance, &Instance) -> bool;

struct AnswerComparison<'a> {
    product: &'a Product,
    number: usize,
    dataset: &'a CompiledDataset,
    published: &'a Dataset,
}

impl<'a> AnswerComparison<'a> {
    /// Returns each field, its index in the dataset, and its published question. Leaves out the
    /// fields that are asked at each sale.
    fn fields(&self) -> impl Iterator<Item = (usize, &'a CompiledField, &'a Field)> + use<'a> {
        let fields = self.dataset.fields.iter().zip(&self.published.fields);
        let fields = fields
            .enumerate()
            .map(|(index, (field, published))| (index, field, published));
        fields.filter(|(_, field, _)| !field.at_accept)
    }

    /// Adds to `changes` the answers that differ between `old` and `new`. For an instance, `place`
    /// is its index among the new instances.
    fn answers(
        &self,
        old: &Instance,
        new: &Instance,
        place: Option<usize>,
        changes: &mut Vec<AnswerChange>,
    ) {
        for (index, field, published) in self.fields() {
            let (before, after) = (answer(old, field), answer(new, field));
            if before == after {
                continue;
            }
            let question = formatted_answers::question(published);
            let (path, label) = match place {
                Some(row) => (
                    format!("{}.{row}.{}", self.dataset.name, field.name),
                    format!("{}: {question}", self.instance_name(old, row)),
                ),
                None => (field.name.clone(), question),
            };
            changes.push(AnswerChange {
                path,
                label,
                before: self.words(index, published, before),
                after: self.words(index, published, after),
            });
        }
    }

    /// Adds to `changes` the differences between the instances in force and the new instances.
    fn instances(&self, old: &[Instance], new: &[Instance], changes: &mut Vec<AnswerChange>) {
        let pairs = self.pairs(old, new);
        for (row, instance) in old.iter().enumerate() {
            if !pairs.contains(&Some(row)) {
                let before = self.instance_name(instance, row);
                changes.push(AnswerChange::removal(&self.dataset.name, row, before));
            }
        }
        for (row, (instance, pair)) in new.iter().zip(&pairs).enumerate() {
            match pair.and_then(|index| old.get(index)) {
                Some(before) => self.answers(before, instance, Some(row), changes),
                None => {
                    let after = self.instance_name(instance, row);
                    changes.push(AnswerChange::addition(&self.dataset.name, row, after));
                }
            }
        }
    }

    /// Returns, for each instance of `new`, the index of its counterpart in `old`, or `None` for an
    /// added instance. Three rules apply in turn: equal answers, an equal unique answer, or at
    /// least half of the answers equal.
    fn pairs(&self, old: &[Instance], new: &[Instance]) -> Vec<Option<usize>> {
        let mut pairs: Vec<Option<usize>> = vec![None; new.len()];
        let rules: [Sameness; 3] = [
            &|one, other| {
                self.fields()
                    .all(|(_, field, _)| answer(one, field) == answer(other, field))
            },
            &|one, other| self.same_mark(one, other),
            &|one, other| self.is_similar(one, other),
        ];
        for same in rules {
            for (row, instance) in new.iter().enumerate() {
                if pairs.get(row).is_some_and(Option::is_some) {
                    continue;
                }
                let mut left = old
                    .iter()
                    .enumerate()
                    .filter(|(index, _)| !pairs.contains(&Some(*index)));
                let found = left.find(|(_, before)| same(before, instance));
                let found = found.map(|(index, _)| index);
                if let Some(pair) = pairs.get_mut(row) {
                    *pair = found;
                }
            }
        }
        pairs
    }

    /// Returns whether both instances have an equal answer at a unique field, such as a
    /// registration.
    fn same_mark(&self, one: &Instance, other: &Instance) -> bool {
        let mut marks = self.fields().filter(|(_, field, _)| field.unique);
        marks.any(|(_, field, _)| {
            answer(one, field).is_some() && answer(one, field) == answer(other, field)
        })
    }

    fn is_similar(&self, one: &Instance, other: &Instance) -> bool {
        let (mut answered, mut alike) = (0, 0);
        for (_, field, _) in self.fields() {
            let (one, other) = (answer(one, field), answer(other, field));
            answered += usize::from(one.is_some() || other.is_some());
            alike += usize::from(one.is_some() && one == other);
        }
        answered <= 2 * alike
    }

    /// Returns an instance's name. A vehicle's name is the registration with the first chosen option
    /// ("FX66 KLM, van"). Another instance has a person's name, or up to [`NAMING`] other answers.
    /// Without any of these, the name is the noun with the number from 1, such as "Vehicle 2".
    fn instance_name(&self, instance: &Instance, row: usize) -> String {
        let answered = |is_wanted: &dyn Fn(&CompiledField) -> bool| {
            let fields = self
                .fields()
                .filter(|(_, field, _)| is_wanted(field) && !field.force_hidden);
            let words = fields.map(|(index, field, published)| {
                self.words(index, published, answer(instance, field))
            });
            words.filter(|words| !words.is_empty()).collect::<Vec<_>>()
        };
        let marks = answered(&|field| field.kind.is_registration());
        if let Some(mark) = marks.into_iter().next() {
            let kind = answered(&|field| field.kind.is_choice()).into_iter().next();
            return kind.map_or(mark.clone(), |kind| format!("{mark}, {}", lower(&kind)));
        }
        let is_person = self
            .fields()
            .any(|(_, field, _)| field.name == policyholder::LAST_NAME);
        let (words, between) = if is_person {
            let name = [
                policyholder::TITLE,
                policyholder::FIRST_NAME,
                policyholder::LAST_NAME,
            ];
            (answered(&|field| name.contains(&field.name.as_str())), " ")
        } else {
            (answered(&|field| field.kind.is_name()), ", ")
        };
        if words.is_empty() {
            return format!("{} {}", noun(self.published), row + 1);
        }
        let words: Vec<_> = words.into_iter().take(NAMING).collect();
        words.join(between)
    }

    fn words(&self, index: usize, field: &Field, answer: Option<&Value>) -> String {
        let field_ref = FieldRef::Cell {
            dataset: self.number,
            field: index,
        };
        let answer = answer.map_or(Scalar::Missing, Scalar::from_json);
        formatted_answers::format_by_kind(self.product, field_ref, field.kind, answer)
    }
}

/// Returns the capitalised noun of an instance, such as "Vehicle", or the dataset's title if it has
/// no noun.
fn noun(dataset: &Dataset) -> String {
    let Some(noun) = &dataset.noun else {
        return dataset.title.clone();
    };
    let mut letters = noun.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Returns a text with its first letter in lower case, for the middle of a sentence.
fn lower(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}
