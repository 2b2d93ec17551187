//! A product's form as it goes over the wire: datasets, fields, conditions and what is wrong with
//! answers.

mod condition;
mod lookup;

use poem_openapi::Enum;
use serde::Serialize;

use super::answers::{OptionValue, Scalar};
use super::published::answer;
use crate::domain::product::fields;
pub use condition::Condition;
pub use lookup::FieldLookup;

/// How a field is asked and read.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "fields::FieldKind")]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    Cards,
    Radio,
    Select,
    YesNo,
    Checkbox,
    Text,
    Email,
    Phone,
    Postcode,
    Registration,
    Date,
    Number,
    Address,
    VehicleLookup,
    AddressLookup,
}

/// How much of a row a field takes.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "fields::Width")]
#[serde(rename_all = "snake_case")]
pub enum FieldWidth {
    Full,
    Half,
    Third,
}

answer! {
    /// One choice of a field.
    pub struct FieldOption {
        /// A number or a word.
        value: OptionValue,
        /// What the form shows.
        label: String,
        /// What the summary says.
        text: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        includes: Option<Vec<String>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        excludes: Option<Vec<String>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        icon: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        visible_when: Option<Condition>,
    }
}

impl From<fields::FieldOption> for FieldOption {
    fn from(option: fields::FieldOption) -> Self {
        let fields::FieldOption {
            value,
            label,
            text,
            description,
            includes,
            excludes,
            icon,
            visible_when,
        } = option;
        let some = |words: Vec<String>| (!words.is_empty()).then_some(words);
        Self {
            value: OptionValue(value),
            label,
            text,
            description,
            includes: some(includes),
            excludes: some(excludes),
            icon,
            visible_when: visible_when.map(Condition::from),
        }
    }
}

answer! {
    /// A date, so many days from today or from another field's.
    pub struct DateLimit {
        /// `today`, or a field's name.
        from: String,
        days: i64,
    }
}

impl From<fields::DateLimit> for DateLimit {
    fn from(limit: fields::DateLimit) -> Self {
        let fields::DateLimit { from, days } = limit;
        Self { from, days }
    }
}

answer! {
    /// What an answer must satisfy.
    pub struct Validation {
        #[serde(skip_serializing_if = "Option::is_none")]
        min_length: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        max_length: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        min: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        max: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        min_date: Option<DateLimit>,
        #[serde(skip_serializing_if = "Option::is_none")]
        max_date: Option<DateLimit>,
    }
}

impl From<fields::Validation> for Validation {
    fn from(validation: fields::Validation) -> Self {
        let fields::Validation {
            min_length,
            max_length,
            min,
            max,
            min_date,
            max_date,
        } = validation;
        Self {
            min_length,
            max_length,
            min,
            max,
            min_date: min_date.map(DateLimit::from),
            max_date: max_date.map(DateLimit::from),
        }
    }
}

answer! {
    /// A question.
    pub struct Field {
        name: String,
        label: String,
        kind: FieldKind,
        value: Scalar,
        default: Scalar,
        /// Where the default moves with the day.
        #[serde(skip_serializing_if = "Option::is_none")]
        default_from: Option<DateLimit>,
        visible: bool,
        display_only: bool,
        locked: bool,
        force_hidden: bool,
        required: bool,
        /// When an answer is needed beside that.
        #[serde(skip_serializing_if = "Option::is_none")]
        required_when: Option<Condition>,
        /// True where the website doesn't show it while it has no answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        folded: Option<bool>,
        /// What this question and those after it are about, up to the next that says so.
        #[serde(skip_serializing_if = "Option::is_none")]
        group: Option<String>,
        /// What is done with what is looked up by its answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        lookup: Option<FieldLookup>,
        rateable: bool,
        errors: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        help: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        options: Vec<FieldOption>,
        #[serde(skip_serializing_if = "Option::is_none")]
        visible_when: Option<Condition>,
        validation: Validation,
        #[serde(skip_serializing_if = "Option::is_none")]
        width: Option<FieldWidth>,
        #[serde(skip_serializing_if = "Option::is_none")]
        autocomplete: Option<String>,
    }
}

impl From<fields::Field> for Field {
    fn from(field: fields::Field) -> Self {
        Self {
            name: field.name,
            label: field.label,
            kind: field.kind.into(),
            value: Scalar(field.value),
            default: Scalar(field.default),
            default_from: field.default_from.map(DateLimit::from),
            visible: field.visible,
            display_only: field.display_only,
            locked: field.locked,
            force_hidden: field.force_hidden,
            required: field.required,
            required_when: field.required_when.map(Condition::from),
            folded: field.folded.then_some(true),
            group: field.group,
            lookup: field.lookup.map(FieldLookup::from),
            rateable: field.rateable,
            errors: field.errors,
            help: field.help,
            why: field.why,
            options: field.options.into_iter().map(FieldOption::from).collect(),
            visible_when: field.visible_when.map(Condition::from),
            validation: field.validation.into(),
            width: field.width.map(FieldWidth::from),
            autocomplete: field.autocomplete,
        }
    }
}

answer! {
    /// What is asked before a card is removed or cleared.
    pub struct Confirm {
        remove: String,
        clear: String,
    }
}

answer! {
    /// A field's state in one instance of a repeatable dataset.
    pub struct FieldState {
        name: String,
        value: Scalar,
        visible: bool,
        errors: Vec<String>,
    }
}

impl From<fields::InstanceField> for FieldState {
    fn from(field: fields::InstanceField) -> Self {
        let fields::InstanceField {
            name,
            value,
            visible,
            errors,
        } = field;
        Self {
            name,
            value: Scalar(value),
            visible,
            errors,
        }
    }
}

answer! {
    /// A group of questions, possibly repeatable.
    pub struct Dataset {
        id: u32,
        identifier: String,
        title: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        multi: bool,
        min: usize,
        max: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        count_field: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        noun: Option<String>,
        /// What several are called in a sentence, where it repeats.
        #[serde(skip_serializing_if = "Option::is_none")]
        plural: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        confirm: Option<Confirm>,
        /// What a price is for while there is no instance, in a few words.
        #[serde(skip_serializing_if = "Option::is_none")]
        assumed: Option<String>,
        statements: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        visible_when: Option<Condition>,
        visible: bool,
        fields: Vec<Field>,
        /// In answers of the form check: each card's fields.
        #[serde(skip_serializing_if = "Option::is_none")]
        instances: Option<Vec<Vec<FieldState>>>,
    }
}

impl From<fields::Dataset> for Dataset {
    fn from(dataset: fields::Dataset) -> Self {
        let instance =
            |fields: Vec<fields::InstanceField>| fields.into_iter().map(FieldState::from).collect();
        Self {
            id: dataset.id,
            identifier: dataset.identifier,
            title: dataset.title,
            description: dataset.description,
            multi: dataset.multi,
            min: dataset.min,
            max: dataset.max,
            count_field: dataset.count_field,
            noun: dataset.noun,
            plural: dataset.plural,
            confirm: dataset.confirm.map(|confirm| Confirm {
                remove: confirm.remove,
                clear: confirm.clear,
            }),
            assumed: dataset.assumed,
            statements: dataset.statements,
            visible_when: dataset.visible_when.map(Condition::from),
            visible: dataset.visible,
            fields: dataset.fields.into_iter().map(Field::from).collect(),
            instances: dataset
                .instances
                .map(|instances| instances.into_iter().map(instance).collect()),
        }
    }
}

answer! {
    /// A product's questions.
    pub struct Form {
        product_identifier: String,
        product_id: u32,
        datasets: Vec<Dataset>,
    }
}

impl From<fields::Form> for Form {
    fn from(form: fields::Form) -> Self {
        Self {
            product_identifier: form.product_identifier,
            product_id: form.product_id,
            datasets: form.datasets.into_iter().map(Dataset::from).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
