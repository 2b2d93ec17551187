//! The numbered steps from each released schema to the next.
//!
//! Until the first release a change of what a table stores raises [`SHAPE`], and has the fixtures written
//! anew. After it, a piece of work that changes what a table stores takes one schema number. It
//!
//! 1. adds a [`Step`] to [`STEPS`] with that number; [`SCHEMA`] follows by itself,
//! 2. raises the version of the tables whose rows it changes (last argument of `Table::new`); a step
//!    must write every row of a table whose version it raises,
//! 3. has the fixtures written (tests/fixtures/rows/README.md): the golden rows anew, and a small
//!    store of the new schema beside those of the older ones, which are never touched again.
//!
//! A step names what it reads and writes by number and by field, never by the types of
//! `tables.rs` or of the domain: they go on changing, and the step must not.

pub use super::migration::{Migration, NewRows, OldRow, Walk};

/// The first schema. It is supported for ever from the first release on.
pub const FIRST_SCHEMA: u32 = 1;

/// The shape of the first schema. Until the first release a change of what is stored raises this number
/// instead of the schema: a store of another shape is refused.
pub const SHAPE: u32 = 4;

/// Version of the store's shape. A store of an older one is upgraded by `layby migrate` first.
pub const SCHEMA: u32 = newest(STEPS);

/// Every step since the first schema, in order.
pub const STEPS: &[Migration] = &[];

/// The schema that these steps lead to.
#[must_use]
pub const fn newest(steps: &[Migration]) -> u32 {
    FIRST_SCHEMA + steps.len() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_leads_to_the_next_schema() {
        for (schema, step) in (FIRST_SCHEMA + 1..).zip(STEPS) {
            assert_eq!(step.schema, schema, "{}", step.name);
        }
    }
}
