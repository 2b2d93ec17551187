//! Lists all tables.

use serde::{Serialize, de::DeserializeOwned};

use super::key::Key;
use super::table::Indexes;
use super::writes::StoredRows;
use crate::store::engine::Read;
use crate::store::{StoreError, Table, tables};

/// The index rows and the owner row that a row must have.
#[derive(Default)]
pub struct Relations {
    /// The index rows that the row's table declares, as they are stored.
    pub(super) index_rows: StoredRows,
    /// Stored key of the owner row. Without that owner row, the row has no use.
    pub(super) owner: Option<Vec<u8>>,
}

/// A table of any key and row type.
pub trait AnyTable: Sync {
    /// Returns the first byte of every key of the table.
    fn number(&self) -> u8;
    /// Returns the table's name in errors and reports.
    fn name(&self) -> &'static str;
    /// Returns the version of the rows that this program reads and writes. The version is the first byte
    /// of every value.
    fn version(&self) -> u8;
    /// Returns whether the table's rows are derived from other tables.
    fn is_index(&self) -> bool;
    /// Decodes a stored value as this table's row type, and encodes it again. Returns the same bytes for a
    /// value that this program wrote.
    ///
    /// # Errors
    /// When the value isn't a row of this table.
    fn written_again(&self, value: &[u8]) -> Result<Vec<u8>, StoreError>;
    /// Decodes a stored key, without its first byte, and its value.
    ///
    /// # Errors
    /// If the key or the value isn't of this table.
    fn check(&self, key: &[u8], value: &[u8]) -> Result<(), StoreError>;
    /// Returns the index rows and the owner row that a stored row must have.
    ///
    /// # Errors
    /// If the key, the value or another row that the index rows depend on can't be read.
    fn relations(&self, tx: &dyn Read, key: &[u8], value: &[u8]) -> Result<Relations, StoreError>;
}

impl<K: Key, V: Serialize + DeserializeOwned, const IS_INDEX: bool> AnyTable
    for Table<K, V, IS_INDEX>
{
    fn number(&self) -> u8 {
        self.number
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn version(&self) -> u8 {
        self.version
    }

    fn is_index(&self) -> bool {
        IS_INDEX
    }

    fn written_again(&self, value: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.encode(&self.decode(value)?)
    }

    fn check(&self, mut key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        if K::read(&mut key).is_none() || !key.is_empty() {
            return Err(self.wrong_key());
        }
        self.decode(value).map(|_| ())
    }

    fn relations(
        &self,
        tx: &dyn Read,
        mut key: &[u8],
        value: &[u8],
    ) -> Result<Relations, StoreError> {
        if self.owner.is_none() && !matches!(self.indexes, Indexes::Own(_)) {
            return Ok(Relations::default());
        }
        let key = K::read(&mut key).ok_or_else(|| self.wrong_key())?;
        let row = self.decode(value)?;
        let index_rows = match self.indexes {
            Indexes::Own(_) => self.index_rows(tx, &key, Some(&row))?,
            Indexes::None | Indexes::Shared(_) => StoredRows::new(),
        };
        let owner = self.owner.map(|owner| owner(&key, &row));
        Ok(Relations { index_rows, owner })
    }
}

/// Every table of `tables.rs` and `tables/contracts.rs`.
pub const ALL: &[&dyn AnyTable] = &[
    &tables::DESCRIPTION,
    &tables::COUNTERS,
    &tables::SECRETS,
    &tables::PRODUCTS,
    &tables::PRODUCT_VERSIONS,
    &tables::QUOTES,
    &tables::LOOKUPS,
    &tables::REVISIONS,
    &tables::QUOTE_BY_OWNER,
    &tables::UNCLAIMED_BY_NAME,
    &tables::POLICY_BY_MAILBOX,
    &tables::QUOTE_MAILS,
    &tables::QUOTE_BY_EXPIRY,
    &tables::QUOTE_BY_SAVED,
    &tables::PARTNER_REQUESTS,
    &tables::CLICKS,
    &tables::PARTNER_REQUEST_BY_QUOTE,
    &tables::CLICK_BY_QUOTE,
    &tables::POLICIES,
    &tables::POLICY_BY_REGISTRATION,
    &tables::POLICY_BY_REFERENCE,
    &tables::PLANS,
    &tables::PLAN_BY_DAY,
    &tables::RESCUE_CARDS,
    &tables::ADJUSTMENTS,
    &tables::ADJUSTMENT_BY_POLICY,
    &tables::POLICY_BY_EXPIRY,
    &tables::POLICY_BY_RENEWAL,
    &tables::SCHEDULED_CANCELLATIONS,
    &tables::SCHEDULED_CANCELLATION_BY_POLICY,
    &tables::POLICY_BY_SCHEDULED_DAY,
    &tables::PAYMENTS,
    &tables::INSTRUMENTS,
    &tables::INSTRUMENT_BY_TOKEN,
    &tables::PAYMENT_BY_QUOTE,
    &tables::PAYMENT_BY_REFERENCE,
    &tables::SANDBOX,
    &tables::LEDGER,
    &tables::REFUNDS,
    &tables::REFUND_BY_POLICY,
    &tables::DISPUTES,
    &tables::DISPUTE_BY_POLICY,
    &tables::SETTLEMENT_LINES,
    &tables::SETTLEMENT_LINE_BY_POLICY,
    &tables::SHOP_LEDGER,
    &tables::USERS,
    &tables::USER_BY_NAME,
    &tables::SESSIONS,
    &tables::SESSION_BY_USER,
    &tables::SESSION_BY_END,
    &tables::LINKS,
    &tables::LINK_BY_USER,
    &tables::LINK_BY_END,
    &tables::ANSWERED,
    &tables::ANSWERED_BY_TIME,
    &tables::REFUSED_ADDRESSES,
    &tables::JOBS,
    &tables::COLLECTIONS,
    &tables::ACCOUNT_LETTERS,
    &tables::POLICY_LETTERS,
    &tables::QUOTE_LETTERS,
    &tables::SET_ASIDE,
    &tables::LAST_DAILY_RUN,
    &tables::NEWEST_WRITE,
    &tables::BACKUP_STATE,
    &tables::HELD_SHOP,
    &tables::LEASES,
    &tables::LIMIT_COUNTS,
    &tables::DOCUMENTS,
    &tables::DOCUMENT_BY_POLICY,
    &tables::DOCUMENT_CONTENTS,
    &tables::PRODUCT_CONTENTS,
    &tables::DOCUMENT_BY_CONTENT,
    &tables::REMOVED_CONTENTS,
    &tables::DOCUMENTS_TO_MAKE,
];

/// Returns the table with this number.
#[must_use]
pub fn table_of(number: u8) -> Option<&'static dyn AnyTable> {
    ALL.iter().copied().find(|table| table.number() == number)
}

/// Returns the table's name. Returns `table` with the number for a removed table.
#[must_use]
pub fn table_name(number: u8) -> String {
    table_of(number).map_or_else(
        || format!("table {number}"),
        |table| table.name().to_string(),
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_table_of_the_file_is_listed_and_has_a_number_and_a_name_of_its_own() {
        let source = [
            include_str!("tables.rs"),
            include_str!("tables/contracts.rs"),
        ];
        let declared: BTreeSet<String> = { source.iter() }
            .flat_map(|text| text.lines())
            .filter_map(|line| line.strip_prefix("pub const "))
            .filter_map(|line| line.split_once(": "))
            .filter(|(_, type_name)| {
                type_name.starts_with("Table<") || type_name.starts_with("Index<")
            })
            .map(|(name, _)| name.to_lowercase())
            .collect();
        let listed = ALL.iter().map(|table| table.name().to_string());
        assert_eq!(listed.collect::<BTreeSet<_>>(), declared);
        let names: BTreeSet<_> = ALL.iter().map(|table| table.name()).collect();
        assert_eq!(names.len(), ALL.len(), "two tables have the same name");
        let numbers: BTreeSet<_> = ALL.iter().map(|table| table.number()).collect();
        assert_eq!(numbers.len(), ALL.len(), "two tables have the same number");
    }
}
