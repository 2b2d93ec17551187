//! What a product's first page is made of, as the website reads it.

use super::answers::{OptionValue, Values};
use crate::domain::product::first_page;
use crate::schema::ResponseSchema;
use serde::Serialize;

/// How far the choices of a field reach.
#[derive(Serialize, ResponseSchema)]
pub struct Reach {
    /// The field.
    field: String,
    /// Where help comes with each of them: ISO 3166 codes.
    countries: Vec<String>,
    /// No help comes within so many miles of home, unless a choice says `at_home`.
    home_miles: i64,
    /// How many miles from a breakdown everybody is towed.
    tow_miles: i64,
    /// What each choice reaches, in the order of the field's options.
    levels: Vec<ReachLevel>,
}

/// What one choice reaches.
#[derive(Serialize, ResponseSchema)]
pub struct ReachLevel {
    value: OptionValue,
    /// Whether help comes home too.
    at_home: bool,
    /// Where one is taken beyond the tow, and when.
    #[serde(skip_serializing_if = "Option::is_none")]
    recovery: Option<String>,
    /// Countries beyond those of everybody.
    abroad: Vec<String>,
    /// What is done there.
    #[serde(skip_serializing_if = "Option::is_none")]
    abroad_help: Option<String>,
}

/// The one answer that the first page asks for in large letters.
#[derive(Serialize, ResponseSchema)]
pub struct WayIn {
    /// A registration, as `dataset.field`.
    field: String,
    label: String,
    button: String,
    /// The answers that giving it makes; prices assume them until something else is answered.
    answers: Values,
    /// Words of the way in without it, and the answers that it makes.
    other: String,
    other_answers: Values,
}

impl From<first_page::Level> for ReachLevel {
    fn from(level: first_page::Level) -> Self {
        let first_page::Level {
            value,
            at_home,
            recovery,
            abroad,
            abroad_help,
        } = level;
        Self {
            value: OptionValue(value),
            at_home,
            recovery,
            abroad,
            abroad_help,
        }
    }
}

impl From<first_page::Reach> for Reach {
    fn from(reach: first_page::Reach) -> Self {
        let first_page::Reach {
            field,
            countries,
            home_miles,
            tow_miles,
            levels,
        } = reach;
        Self {
            field,
            countries,
            home_miles,
            tow_miles,
            levels: levels.into_iter().map(ReachLevel::from).collect(),
        }
    }
}

impl From<first_page::WayIn> for WayIn {
    fn from(way_in: first_page::WayIn) -> Self {
        let first_page::WayIn {
            field,
            label,
            button,
            answers,
            other,
            other_answers,
        } = way_in;
        Self {
            field,
            label,
            button,
            answers: Values(answers),
            other,
            other_answers: Values(other_answers),
        }
    }
}
