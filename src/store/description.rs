//! The description that a store has of itself. Every version of layby, older or newer, reads this row. So
//! a release only adds fields, and each added field is an `Option`.

use serde::{Deserialize, Serialize};

use super::StoreError;
use crate::store::upgrade::migrations::SHAPE;

/// The store's description, in the store's first row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreDescription {
    /// Schema of the tables. During an upgrade, this is the schema after the current step. So a layby
    /// that only has the earlier schema refuses the store.
    pub schema: u32,
    /// Number of the unreleased shape of the tables. The first builds stored no shape.
    pub shape: Option<u32>,
    /// Version of layby that created the store or last upgraded it.
    pub written_by: String,
    /// Progress of the upgrade to `schema`. `None` if no upgrade is in progress.
    pub upgrade: Option<Progress>,
}

/// Progress of an upgrade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Number of the step's current walk, from 0.
    pub walk: u32,
    /// Key of the last row that the walk upgraded. `None` before the walk's first batch.
    pub after: Option<bytes::Bytes>,
    /// File name of the copy made before the upgrade.
    pub copy: String,
}

impl StoreDescription {
    /// Returns the description of a complete store of this schema, written by this program.
    #[must_use]
    pub fn complete(schema: u32) -> Self {
        Self {
            schema,
            shape: Some(SHAPE),
            written_by: env!("CARGO_PKG_VERSION").to_string(),
            upgrade: None,
        }
    }

    /// Checks whether a program of schema `schema` may upgrade the store.
    ///
    /// # Errors
    /// If the store has another shape than [`SHAPE`], or a newer schema than the program.
    pub fn may_be_upgraded(&self, schema: u32) -> Result<(), StoreError> {
        if self.shape != Some(SHAPE) {
            return Err(StoreError::Unreleased);
        }
        if self.schema > schema {
            return Err(StoreError::Newer {
                found: self.schema,
                written_by: self.written_by.clone(),
                supported: schema,
            });
        }
        Ok(())
    }

    /// Checks whether a program of schema `schema` may serve the store.
    ///
    /// # Errors
    /// As [`StoreDescription::may_be_upgraded`]. Also if the store has an older schema, or if an upgrade
    /// was interrupted.
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
