//! When something of a form is shown.

use crate::api::wire::Number;
use crate::api::wire::answers::Scalar;
use crate::api::wire::published::answer;
use crate::domain::condition::{self, Literal, Test, number_json};

answer! {
    /// When something is shown: `field` with one of the tests, or `all`, `any` or `not`.
    pub struct Condition {
        #[serde(skip_serializing_if = "Option::is_none")]
        field: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        is: Option<Scalar>,
        #[serde(rename = "in")]
        #[serde(skip_serializing_if = "Option::is_none")]
        one_of: Option<Vec<Scalar>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        at_least: Option<Number>,
        #[serde(skip_serializing_if = "Option::is_none")]
        at_most: Option<Number>,
        #[serde(skip_serializing_if = "Option::is_none")]
        set: Option<bool>,
        #[serde(skip_serializing_if = "Option::is_none")]
        all: Option<Vec<Condition>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        any: Option<Vec<Condition>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        not: Option<Box<Condition>>,
    }
}

impl Condition {
    const EMPTY: Self = Self {
        field: None,
        is: None,
        one_of: None,
        at_least: None,
        at_most: None,
        set: None,
        all: None,
        any: None,
        not: None,
    };

    fn of_field(field: String, test: Test) -> Self {
        let number = |number: f64| Some(Number(number_json(number)));
        let scalar = |literal: &Literal| Scalar(literal.json());
        let mut condition = Self {
            field: Some(field),
            ..Self::EMPTY
        };
        match test {
            Test::Is(literal) => condition.is = Some(scalar(&literal)),
            Test::In(literals) => condition.one_of = Some(literals.iter().map(scalar).collect()),
            Test::AtLeast(bound) => condition.at_least = number(bound),
            Test::AtMost(bound) => condition.at_most = number(bound),
            Test::Set(set) => condition.set = Some(set),
        }
        condition
    }
}

impl From<condition::Condition> for Condition {
    fn from(condition: condition::Condition) -> Self {
        use condition::Condition as C;
        let each = |parts: Vec<C>| Some(parts.into_iter().map(Self::from).collect());
        match condition {
            C::Field(field, test) => Self::of_field(field, test),
            C::All(parts) => Self {
                all: each(parts),
                ..Self::EMPTY
            },
            C::Any(parts) => Self {
                any: each(parts),
                ..Self::EMPTY
            },
            C::Not(part) => Self {
                not: Some(Box::new(Self::from(*part))),
                ..Self::EMPTY
            },
        }
    }
}
