//! The nodes of a store, and which of them are incompatible. A node is a running layby process that shares a
//! store with others.

use std::collections::BTreeMap;

use crate::store::{DatabaseError, SCHEMA};

/// What a node reports when it joins.
#[derive(Clone, Debug)]
pub struct JoinRequest {
    /// Version of the program.
    pub build: String,
    /// Hash of each product version's files, by product and version.
    pub products: BTreeMap<String, String>,
    /// Whether the node's clock must agree with the database's clock. False if the settings set the
    /// clock.
    pub checks_clock: bool,
}

impl JoinRequest {
    /// Returns the products as `layby_nodes` stores them, one per line.
    pub(super) fn products_as_text(&self) -> String {
        let lines = self.products.iter();
        let lines = lines.map(|(product, hash)| format!("{product} {hash}"));
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// What another live node has reported.
pub(super) struct Node {
    pub(super) schema: i64,
    pub(super) build: String,
    pub(super) products: String,
    pub(super) is_draining: bool,
}

/// Largest difference between the clocks of a node and the database, in milliseconds.
const CLOCK: i64 = 2000;

/// Returns an error if this node's clock differs from the database's clock by more than [`CLOCK`]. `before`
/// and `after` are this clock's times around the query. All times are in milliseconds.
pub(super) fn wrong_clock(before: i64, database: i64, after: i64) -> Option<DatabaseError> {
    // The database read its clock at some time between `before` and `after`.
    let ahead = match () {
        () if before > database => before - database,
        () if after < database => after - database,
        () => 0,
    };
    (ahead.abs() > CLOCK).then_some(DatabaseError::Clock { ahead })
}

/// Returns why two nodes can't serve the store together. While the other node drains, the joining node
/// may have other products or another schema. The joining node's version must then be the same as the
/// other's or newer.
pub(super) fn incompatibility(joining: &JoinRequest, other: &Node) -> Option<DatabaseError> {
    let products = joining.products_as_text();
    if other.schema == i64::from(SCHEMA) && other.products == products {
        return None;
    }
    if other.is_draining && number(&other.build) <= number(&joining.build) {
        return None;
    }
    if other.schema != i64::from(SCHEMA) {
        return Some(DatabaseError::OtherSchema {
            theirs: other.schema,
            build: other.build.clone(),
        });
    }
    let (ours, theirs) = (products.lines(), other.products.lines());
    let only = |lines: std::str::Lines<'_>, others: &str| -> Vec<String> {
        let is_only = |line: &&str| !others.lines().any(|other| other == *line);
        let named = lines.filter(is_only);
        let named = named.filter_map(|line| line.rsplit_once(' '));
        named.map(|(product, _)| product.to_string()).collect()
    };
    let mut differ = only(ours, &other.products);
    differ.extend(only(theirs, &products));
    differ.sort();
    differ.dedup();
    Some(DatabaseError::OtherProducts {
        differ: differ.join(", "),
    })
}

/// Returns the numbers of a version, which sort as versions do.
fn number(build: &str) -> Vec<u64> {
    let parts = build.split(['.', '-', '+']);
    parts.map_while(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joining(build: &str, hash: &str) -> JoinRequest {
        JoinRequest {
            build: build.to_string(),
            products: [("breakdown 3", hash), ("gadget 1", "g")]
                .map(|(product, hash)| (product.to_string(), hash.to_string()))
                .into(),
            checks_clock: true,
        }
    }

    fn node(build: &str, hash: &str, is_draining: bool) -> Node {
        Node {
            schema: i64::from(SCHEMA),
            build: build.to_string(),
            products: joining(build, hash).products_as_text(),
            is_draining,
        }
    }

    #[test]
    fn a_clock_is_wrong_by_what_no_wait_for_the_answer_explains() {
        let wrong = |before, after| wrong_clock(before, 100_000, after);
        let by = |ahead| Some(DatabaseError::Clock { ahead });
        assert_eq!(wrong(99_000, 101_000), None);
        assert_eq!(wrong(50_000, 150_000), None);
        assert_eq!(wrong(102_000, 102_500), None);
        assert_eq!(wrong(102_001, 102_500), by(2_001));
        assert_eq!(wrong(97_000, 98_000), None);
        assert_eq!(wrong(97_000, 97_999), by(-2_001));
        // The clock is set back between the two readings.
        assert_eq!(wrong(100_000, 40_000), by(-60_000));
    }

    #[test]
    fn shops_with_other_products_are_kept_apart_unless_the_older_one_drains() {
        let own = joining("0.10.0", "a");
        assert_eq!(incompatibility(&own, &node("0.9.0", "a", false)), None);
        assert_eq!(incompatibility(&own, &node("0.11.0", "a", false)), None);
        let why = incompatibility(&own, &node("0.9.0", "b", false)).unwrap();
        assert!(why.to_string().contains("(breakdown 3)"), "{why}");
        assert_eq!(incompatibility(&own, &node("0.9.0", "b", true)), None);
        assert_eq!(incompatibility(&own, &node("0.10.0", "b", true)), None);
        assert!(incompatibility(&own, &node("0.11.0", "b", true)).is_some());
        let other = Node {
            schema: 2,
            ..node("0.10.0", "a", false)
        };
        let why = incompatibility(&own, &other).unwrap().to_string();
        assert!(why.contains("schema 2"), "{why}");
    }
}
