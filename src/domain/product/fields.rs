//! A product's form as the website gets it: its datasets, their fields, and what can be chosen.

use serde::Deserialize;
use serde_json::Value;

use crate::domain::condition::Condition;

/// A product's form: datasets in the order they are asked.
#[derive(Clone, Debug)]
pub struct Form {
    /// The product's identifier, such as a word for its address.
    pub product_identifier: String,
    /// The product's number.
    pub product_id: u32,
    /// Groups of fields.
    pub datasets: Vec<Dataset>,
}

/// A group of fields that belong together; repeatable when `multi`.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// Number of the dataset within the product.
    pub id: u32,
    /// Its name in `multi` and in paths.
    pub identifier: String,
    /// Its heading.
    pub title: String,
    /// A sentence under the heading.
    pub description: Option<String>,
    /// Whether it repeats (vehicles, persons, trips).
    pub multi: bool,
    /// Fewest instances.
    pub min: usize,
    /// Most instances.
    pub max: usize,
    /// Name of the count of instances, which is worked out and never asked.
    pub count_field: Option<String>,
    /// What one instance is called in a sentence.
    pub noun: Option<String>,
    /// What several are called in a sentence; where it repeats, always there.
    pub plural: Option<String>,
    /// The questions asked before an instance is removed or cleared.
    pub confirm: Option<Confirm>,
    /// What a price is for while there is no instance, in a few words.
    pub assumed: Option<String>,
    /// Statements the customer declares.
    pub statements: Vec<String>,
    /// When the dataset shows.
    pub visible_when: Option<Condition>,
    /// Whether it shows.
    pub visible: bool,
    /// Its fields; of a repeatable one, the pattern of each instance.
    pub fields: Vec<Field>,
    /// The instances of a repeatable one, only where answers were given.
    pub instances: Option<Vec<Vec<InstanceField>>>,
}

/// The questions of a repeatable dataset's confirm dialog.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Confirm {
    /// Asked before one of several is removed.
    pub remove: String,
    /// Asked before the only one is cleared.
    pub clear: String,
}

/// One field of one instance.
#[derive(Clone, Debug)]
pub struct InstanceField {
    /// The field.
    pub name: String,
    /// Its answer, or null.
    pub value: Value,
    /// Whether it shows in this instance.
    pub visible: bool,
    /// What is wrong with it.
    pub errors: Vec<String>,
}

/// How a field is asked and read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// Big cards, one of which is chosen.
    Cards,
    /// Radio buttons.
    Radio,
    /// A drop-down list.
    Select,
    /// 1 is yes, 2 is no (specification, part 3).
    YesNo,
    /// True or false.
    Checkbox,
    /// One line of text.
    Text,
    /// An email address.
    Email,
    /// A telephone number, kept in E.164.
    Phone,
    /// A UK postcode.
    Postcode,
    /// A UK registration mark.
    Registration,
    /// A date, `dd.MM.yyyy`.
    Date,
    /// A number with at most two decimals.
    Number,
    /// Lines of text.
    Address,
    /// A UK registration mark, by which the vehicle is looked up.
    VehicleLookup,
    /// A UK postcode, by which the address is looked up.
    AddressLookup,
}

impl FieldKind {
    /// Whether its answer is a registration mark.
    pub fn is_registration(self) -> bool {
        matches!(self, Self::Registration | Self::VehicleLookup)
    }

    /// Whether its answer is a postcode.
    pub fn is_postcode(self) -> bool {
        matches!(self, Self::Postcode | Self::AddressLookup)
    }

    /// Whether something is looked up by its answer.
    pub fn is_lookup(self) -> bool {
        matches!(self, Self::VehicleLookup | Self::AddressLookup)
    }

    /// Whether one of listed options is chosen.
    pub fn has_options(self) -> bool {
        matches!(self, Self::Cards | Self::Radio | Self::Select | Self::YesNo)
    }
}

/// How much of a row a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Width {
    /// All of it.
    Full,
    /// Half of it.
    Half,
    /// A third of it.
    Third,
}

/// A question.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name in answers.
    pub name: String,
    /// What the form calls it.
    pub label: String,
    /// How it is asked.
    pub kind: FieldKind,
    /// Its answer, or null.
    pub value: Value,
    /// The answer it starts with, or null.
    pub default: Value,
    /// Where the date it starts with moves with the day: so many days from `today`.
    pub default_from: Option<DateLimit>,
    /// Whether it shows.
    pub visible: bool,
    /// Shown, never asked.
    pub display_only: bool,
    /// Can't be changed once the cover is bought.
    pub locked: bool,
    /// Never shown nor asked; keeps its default.
    pub force_hidden: bool,
    /// Whether an answer is needed.
    pub required: bool,
    /// When an answer is needed that otherwise isn't.
    pub required_when: Option<Condition>,
    /// The website doesn't show it while it has no answer.
    pub folded: bool,
    /// What this question and those after it are about, up to the next that says so.
    pub group: Option<String>,
    /// What is done with what is looked up by it.
    pub lookup: Option<Lookup>,
    /// Whether the price depends on it.
    pub rateable: bool,
    /// What is wrong with the answer.
    pub errors: Vec<String>,
    /// A hint shown with the field.
    pub help: Option<String>,
    /// Why it is asked.
    pub why: Option<String>,
    /// What can be chosen.
    pub options: Vec<FieldOption>,
    /// When it shows.
    pub visible_when: Option<Condition>,
    /// Limits of the answer.
    pub validation: Validation,
    /// How much of a row it takes.
    pub width: Option<Width>,
    /// The browser's autocomplete token.
    pub autocomplete: Option<String>,
}

/// What is done with what is looked up by a field's answer.
#[derive(Clone, Debug, Default)]
pub struct Lookup {
    /// The fields of the same dataset that it answers.
    pub fills: LookupFills,
    /// What is said of it.
    pub notes: LookupNotes,
}

/// The fields that a look-up answers, by their names.
#[derive(Clone, Debug, Default)]
pub struct LookupFills {
    /// The field of the make.
    pub make: Option<String>,
    /// The field of the model.
    pub model: Option<String>,
    /// The field of the colour.
    pub colour: Option<String>,
    /// The field of the fuel.
    pub fuel: Option<String>,
    /// The date field of the first registration: the first day of its month.
    pub first_registered: Option<String>,
    /// The field of the address's lines.
    pub lines: Option<String>,
}

/// What is said of a vehicle that was looked up.
#[derive(Clone, Debug, Default)]
pub struct LookupNotes {
    /// Said when its MOT has run out.
    pub mot: Option<String>,
    /// Said when it isn't taxed.
    pub tax: Option<String>,
}

/// Something that can be chosen.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldOption {
    /// What an answer holds: a number or a text.
    pub value: Value,
    /// What the form shows.
    pub label: String,
    /// What a summary says; the label where a file doesn't say.
    #[serde(default)]
    pub text: String,
    /// A sentence about it.
    pub description: Option<String>,
    /// What it covers.
    #[serde(default)]
    pub includes: Vec<String>,
    /// What it doesn't cover.
    #[serde(default)]
    pub excludes: Vec<String>,
    /// A picture's name.
    pub icon: Option<String>,
    /// When it can be chosen.
    pub visible_when: Option<Condition>,
}

impl FieldOption {
    /// An option that is a number and a label.
    pub fn new(value: i64, label: &str) -> Self {
        Self {
            value: value.into(),
            label: label.to_owned(),
            text: label.to_owned(),
            description: None,
            includes: Vec::new(),
            excludes: Vec::new(),
            icon: None,
            visible_when: None,
        }
    }
}

/// Limits of an answer.
#[derive(Clone, Debug, Default)]
pub struct Validation {
    /// Fewest characters.
    pub min_length: Option<usize>,
    /// Most characters.
    pub max_length: Option<usize>,
    /// Smallest number.
    pub min: Option<i64>,
    /// Largest number.
    pub max: Option<i64>,
    /// Earliest date.
    pub min_date: Option<DateLimit>,
    /// Latest date.
    pub max_date: Option<DateLimit>,
}

/// A date some days after another.
#[derive(Clone, Debug)]
pub struct DateLimit {
    /// `today`, or the name of a date field.
    pub from: String,
    /// Days after it; before it when negative.
    pub days: i64,
}
