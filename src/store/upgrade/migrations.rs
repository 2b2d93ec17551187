//! The numbered steps from each released schema to the next.
//!
//! Before the first release, a change of a stored row raises [`SHAPE`], and the fixtures are written anew.
//! After the first release, each change of stored rows takes one schema number. The change must:
//!
//! 1. add a [`Migration`] to [`STEPS`] with that number ([`SCHEMA`] is computed from the steps),
//! 2. raise the version of the tables whose rows it changes (last argument of `Table::new`). A step must
//!    write every row of a table whose version it raises,
//! 3. write the golden rows anew (tests/fixtures/rows/README.md). Add a small store of the new schema to
//!    the fixtures. The older fixtures never change again.
//!
//! A step names tables by number and values by field, never by the types of `tables.rs` or of the domain.
//! Those types change later, and the step must not change.

pub use super::migration::{Migration, NewRows, OldRow, Walk};

/// The first schema. Every release can upgrade a store of this schema.
pub const FIRST_SCHEMA: u32 = 1;

/// The shape of the first schema. Before the first release, a change of stored rows raises this number. The
/// program refuses a store of another shape.
pub const SHAPE: u32 = 20;

/// Schema of this program's stores. `layby migrate` upgrades an older store.
pub const SCHEMA: u32 = newest(STEPS);

/// All steps after the first schema, in order.
pub const STEPS: &[Migration] = &[];

/// Returns the schema after these steps.
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
