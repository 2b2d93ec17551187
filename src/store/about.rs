//! What a store says of itself. Every layby, older or newer, reads this row. Fields are only added,
//! and each added one is an `Option`.

use serde::{Deserialize, Serialize};

use super::StoreError;
use crate::store::upgrade::migrations::SHAPE;

/// What the store says of itself, in its own first row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreDescription {
    /// Shape of the tables. While an upgrade is under way it is the schema that the upgrade's
    /// present step leads to, so that a layby that only knows the one before refuses the store.
    pub schema: u32,
    /// Which shape of the tables it has that was never released; none of the builds before there was one.
    pub shape: Option<u32>,
    /// Version of layby that last wrote the shape.
    pub written_by: String,
    /// How far the upgrade to `schema` has come; none when the store is whole.
    pub upgrade: Option<Progress>,
}

/// How far an upgrade has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Which of the step's walks is next, from 0.
    pub walk: u32,
    /// Key of the last row that it upgraded; none before the first.
    pub after: Option<bytes::Bytes>,
    /// Name of the file that the store was copied to before the upgrade.
    pub copy: String,
}

impl StoreDescription {
    /// A whole store of this schema, written by this program.
    #[must_use]
    pub fn complete(schema: u32) -> Self {
        Self {
            schema,
            shape: Some(SHAPE),
            written_by: env!("CARGO_PKG_VERSION").to_string(),
            upgrade: None,
        }
    }

    /// Whether a program that knows the schemas up to `known` may upgrade it.
    ///
    /// # Errors
    /// When it has a shape that was not released, or is newer than the program.
    pub fn may_be_upgraded(&self, schema: u32) -> Result<(), StoreError> {
        if self.shape != Some(SHAPE) {
            return Err(StoreError::Unreleased);
        }
        if self.schema > schema {
            return Err(StoreError::Newer {
                found: self.schema,
                written_by: self.written_by.clone(),
                known: schema,
            });
        }
        Ok(())
    }

    /// Whether a program of schema `known` may serve it.
    ///
    /// # Errors
    /// As [`StoreDescription::may_be_upgraded`]; when it is older, or an upgrade was broken off.
    pub fn may_be_served(&self, schema: u32) -> Result<(), StoreError> {
        self.may_be_upgraded(schema)?;
        if self.upgrade.is_some() {
            return Err(StoreError::HalfMigrated { to: self.schema });
        }
        if self.schema < schema {
            return Err(StoreError::Older { found: self.schema });
        }
        Ok(())
    }
}
