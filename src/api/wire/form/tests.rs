//! What is published of a condition is the condition.

use serde_json::Value;

use super::Condition;
use crate::domain::condition;

#[test]
fn a_published_condition_reads_as_the_one_that_it_came_from() {
    let text = include_str!("../../../../tests/fixtures/conditions.json");
    let cases: Vec<Value> = serde_json::from_str(text).unwrap();
    assert!(cases.len() > 10);
    for case in cases {
        let known = condition::Condition::read(&case["condition"]).unwrap();
        let published = serde_json::to_value(Condition::from(known.clone())).unwrap();
        let again = condition::Condition::read(&published).unwrap();
        assert_eq!(again, known, "{}", case["name"]);
    }
}
