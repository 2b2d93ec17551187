//! Conditions as data: when a field is visible, and when a rule applies.
//!
//! The website evaluates these conditions from their JSON. Tests of the server and of the website
//! evaluate the cases in `tests/fixtures/conditions.json`.

use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value, json};

use crate::json_schema::{self, Member, Number, Presence, Registry, object, schema_of};

/// One answer, as conditions and tables read it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar<'a> {
    /// No answer: absent, null, an empty text, a list or an object.
    Missing,
    Number(f64),
    /// The state of a checkbox.
    Bool(bool),
    Text(&'a str),
}

impl<'a> Scalar<'a> {
    /// Reads the answer in a JSON value.
    pub fn from_json(value: &'a Value) -> Self {
        match value {
            Value::Bool(flag) => Self::Bool(*flag),
            Value::Number(number) => number.as_f64().map_or(Self::Missing, Self::Number),
            Value::String(text) if !text.is_empty() => Self::Text(text),
            _ => Self::Missing,
        }
    }

    pub fn is_missing(self) -> bool {
        self == Self::Missing
    }
}

/// A single value that a condition compares with.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Value")]
pub enum Literal {
    Number(f64),
    Bool(bool),
    Text(String),
}

impl Literal {
    /// Reads the literal in a JSON value. Returns `None` for null, lists and objects.
    pub fn from_json(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(flag) => Some(Self::Bool(*flag)),
            Value::Number(number) => number.as_f64().map(Self::Number),
            Value::String(text) => Some(Self::Text(text.clone())),
            _ => None,
        }
    }

    /// Returns the literal as an answer.
    pub fn scalar(&self) -> Scalar<'_> {
        match self {
            Self::Number(number) => Scalar::Number(*number),
            Self::Bool(flag) => Scalar::Bool(*flag),
            Self::Text(text) => Scalar::Text(text),
        }
    }

    pub fn json(&self) -> Value {
        match self {
            Self::Number(number) => number_json(*number),
            Self::Bool(flag) => json!(flag),
            Self::Text(text) => json!(text),
        }
    }
}

impl TryFrom<Value> for Literal {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        Self::from_json(&value).ok_or("must be one text, number, true or false")
    }
}

/// Returns a number as JSON. A whole number whose absolute value is below 9e15 becomes an integer.
pub fn number_json(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 9e15 {
        json!(number as i64)
    } else {
        json!(number)
    }
}

/// A test of one answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// The answer equals the literal.
    Is(Literal),
    /// The answer equals one of the literals.
    In(Vec<Literal>),
    /// The answer is a number of at least this size.
    AtLeast(f64),
    /// The answer is a number of at most this size.
    AtMost(f64),
    /// The answer is present (`true`) or missing (`false`).
    Set(bool),
}

impl Test {
    /// Returns whether an answer passes. A missing answer passes only `Set(false)`.
    pub fn passes(&self, answer: Scalar<'_>) -> bool {
        match self {
            Self::Is(literal) => literal.scalar() == answer,
            Self::In(literals) => literals.iter().any(|literal| literal.scalar() == answer),
            Self::AtLeast(bound) => matches!(answer, Scalar::Number(number) if number >= *bound),
            Self::AtMost(bound) => matches!(answer, Scalar::Number(number) if number <= *bound),
            Self::Set(set) => answer.is_missing() != *set,
        }
    }
}

/// A condition on fields. A published condition uses field names. A compiled condition uses
/// positions (`product::compiled::FieldRef`).
#[derive(Clone, Debug, PartialEq)]
pub enum Condition<F = String> {
    /// One field passes a test.
    Field(F, Test),
    /// Every part holds.
    All(Vec<Self>),
    /// At least one part holds.
    Any(Vec<Self>),
    /// The inner condition does not hold.
    Not(Box<Self>),
}

impl<F> Condition<F> {
    /// Returns whether the condition holds. `look` returns the answer of a field.
    pub fn holds<'a>(&self, look: &impl Fn(&F) -> Scalar<'a>) -> bool {
        match self {
            Self::Field(field, test) => test.passes(look(field)),
            Self::All(parts) => parts.iter().all(|part| part.holds(look)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(look)),
            Self::Not(part) => !part.holds(look),
        }
    }

    /// Returns the condition with other names for its fields, or `None` if `name` fails for a
    /// field. `name` is called for every field, also after a failure, so that it can report each
    /// wrong name.
    pub fn rename<G>(&self, name: &mut impl FnMut(&F, &Test) -> Option<G>) -> Option<Condition<G>> {
        let mut each = |parts: &[Self]| {
            let renamed: Vec<_> = parts.iter().map(|part| part.rename(name)).collect();
            renamed.into_iter().collect::<Option<Vec<_>>>()
        };
        Some(match self {
            Self::Field(field, test) => Condition::Field(name(field, test)?, test.clone()),
            Self::All(parts) => Condition::All(each(parts)?),
            Self::Any(parts) => Condition::Any(each(parts)?),
            Self::Not(part) => Condition::Not(Box::new(part.rename(name)?)),
        })
    }

    /// Calls `visit` with every field of the condition.
    pub fn each_field(&self, visit: &mut impl FnMut(&F)) {
        match self {
            Self::Field(field, _) => visit(field),
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().for_each(|part| part.each_field(visit));
            }
            Self::Not(part) => part.each_field(visit),
        }
    }
}

schema_of!(Condition, "Condition", |registry: &mut Registry| {
    fn member<T: json_schema::Type>(registry: &mut Registry, name: &'static str) -> Member {
        Member::for_type::<T>(registry, name, "", Presence::Sometimes)
    }
    let members = vec![
        member::<String>(registry, "field"),
        member::<json_schema::Scalar>(registry, "is"),
        member::<Vec<json_schema::Scalar>>(registry, "in"),
        member::<Number>(registry, "at_least"),
        member::<Number>(registry, "at_most"),
        member::<bool>(registry, "set"),
        member::<Vec<Condition>>(registry, "all"),
        member::<Vec<Condition>>(registry, "any"),
        member::<Condition>(registry, "not"),
    ];
    let description =
        "When something is shown: `field` with one of the tests, or `all`, `any` or `not`.";
    object("Condition", description, members)
});

impl Serialize for Condition {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        match self {
            Self::All(parts) => map.serialize_entry("all", parts)?,
            Self::Any(parts) => map.serialize_entry("any", parts)?,
            Self::Not(part) => map.serialize_entry("not", part)?,
            Self::Field(field, test) => {
                map.serialize_entry("field", field)?;
                match test {
                    Test::Is(literal) => map.serialize_entry("is", &literal.json()),
                    Test::In(literals) => map
                        .serialize_entry("in", &Vec::from_iter(literals.iter().map(Literal::json))),
                    Test::AtLeast(bound) => map.serialize_entry("at_least", &number_json(*bound)),
                    Test::AtMost(bound) => map.serialize_entry("at_most", &number_json(*bound)),
                    Test::Set(is_set) => map.serialize_entry("set", is_set),
                }?;
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Condition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(&Value::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl Condition {
    /// Reads a condition from its JSON form. The error text describes the mistake.
    pub fn read(value: &Value) -> Result<Self, String> {
        let Value::Object(keys) = value else {
            return Err("a condition is a table such as { field = \"excess\", is = 1 }".into());
        };
        if let Some(field) = keys.get("field") {
            let Value::String(field) = field else {
                return Err("`field` must be the name of a field".into());
            };
            return Ok(Self::Field(field.clone(), read_test(field, keys)?));
        }
        let mut forms = keys.iter();
        let (Some((form, inner)), None) = (forms.next(), forms.next()) else {
            return Err("a condition has exactly one of `field`, `all`, `any`, `not`".into());
        };
        match form.as_str() {
            "all" => Ok(Self::All(read_list(form, inner)?)),
            "any" => Ok(Self::Any(read_list(form, inner)?)),
            "not" => Ok(Self::Not(Box::new(Self::read(inner)?))),
            other => Err(format!(
                "`{other}` is no condition; use `field`, `all`, `any` or `not`"
            )),
        }
    }
}

fn read_list(form: &str, value: &Value) -> Result<Vec<Condition>, String> {
    match value {
        Value::Array(items) if !items.is_empty() => items.iter().map(Condition::read).collect(),
        _ => Err(format!("`{form}` must be a list of conditions")),
    }
}

fn read_test(field: &str, keys: &Map<String, Value>) -> Result<Test, String> {
    let mut tests = keys.iter().filter(|(key, _)| *key != "field");
    let (Some((test, value)), None) = (tests.next(), tests.next()) else {
        return Err(format!(
            "the condition on `{field}` needs exactly one of `is`, `in`, `at_least`, `at_most`, `set`"
        ));
    };
    let number = || {
        value
            .as_f64()
            .ok_or_else(|| format!("`{test}` of the condition on `{field}` must be a number"))
    };
    match test.as_str() {
        "is" => Literal::from_json(value).map(Test::Is).ok_or_else(|| {
            format!("`is` of the condition on `{field}` must be one number, text, true or false")
        }),
        "in" => value
            .as_array()
            .filter(|items| !items.is_empty())
            .and_then(|items| items.iter().map(Literal::from_json).collect())
            .map(Test::In)
            .ok_or_else(|| format!("`in` of the condition on `{field}` must be a list of values")),
        "at_least" => number().map(Test::AtLeast),
        "at_most" => number().map(Test::AtMost),
        "set" => value
            .as_bool()
            .map(Test::Set)
            .ok_or_else(|| format!("`set` of the condition on `{field}` must be true or false")),
        other => Err(format!(
            "`{other}` is no test; the condition on `{field}` needs one of \
             `is`, `in`, `at_least`, `at_most`, `set`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_condition_reads_as_the_one_that_it_came_from() {
        let text = include_str!("../../../tests/fixtures/conditions.json");
        let cases: Vec<Value> = serde_json::from_str(text).unwrap();
        assert!(cases.len() > 10);
        for case in cases {
            let parsed = Condition::read(&case["condition"]).unwrap();
            let published = serde_json::to_value(&parsed).unwrap();
            let again = Condition::read(&published).unwrap();
            assert_eq!(again, parsed, "{}", case["name"]);
        }
    }
}
