//! The parts of a step from one schema to the next.

use rmpv::Value;

/// A step from one schema to the next.
#[derive(Debug)]
pub struct Migration {
    /// The schema after the step: one more than the schema before.
    pub schema: u32,
    /// Short description for the operator.
    pub name: &'static str,
    /// The walks over tables, in this order.
    pub walks: &'static [Walk],
}

/// A pass over all rows of a table.
#[derive(Debug)]
pub struct Walk {
    /// First byte of the table's keys.
    pub table: u8,
    /// Version of every row of the table after the walk, whether the walk put the row or not. If a
    /// row has another version, the upgrade fails, because the program could not read that row.
    pub version: u8,
    /// Upgrades a row. The rows come in the order of their keys. The upgrade commits the changes of one
    /// call for each row, together with the progress of the upgrade. A failed batch calls the function
    /// again for its rows.
    ///
    /// In the walked table, the function may put a row only under the key that it received. Whether the
    /// walk would also visit another key depends on the order of the keys.
    ///
    /// # Errors
    /// The row's fault, as a text. The text must not quote the row, because rows contain personal data.
    pub row: fn(&OldRow, &mut NewRows) -> Result<(), String>,
}

/// A row before the step.
#[derive(Debug)]
pub struct OldRow {
    /// The row's key, without the table's number.
    pub key: Vec<u8>,
    /// The version of the row's table when the row was written.
    pub version: u8,
    pub value: Value,
}

/// The rows that a step puts and deletes. All other rows stay the same.
#[derive(Debug, Default)]
pub struct NewRows(Vec<(Vec<u8>, Option<Vec<u8>>)>);

impl NewRows {
    /// Puts a row into a table under a key. Replaces an existing row.
    ///
    /// # Errors
    /// If the value can't be encoded.
    pub fn put(&mut self, table: u8, key: &[u8], version: u8, value: &Value) -> Result<(), String> {
        let mut row = vec![version];
        rmpv::encode::write_value(&mut row, value).map_err(|error| error.to_string())?;
        self.0.push((with_table(table, key), Some(row)));
        Ok(())
    }

    /// Removes a row from a table.
    pub fn delete(&mut self, table: u8, key: &[u8]) {
        self.0.push((with_table(table, key), None));
    }

    /// Returns the changes in the order of the calls. Each key begins with its table's number.
    pub(in crate::store) fn into_changes(self) -> Vec<(Vec<u8>, Option<Vec<u8>>)> {
        self.0
    }
}

fn with_table(table: u8, key: &[u8]) -> Vec<u8> {
    let mut whole = vec![table];
    whole.extend_from_slice(key);
    whole
}

impl OldRow {
    /// Decodes a stored row.
    pub(in crate::store) fn read(key: &[u8], stored: &[u8]) -> Result<Self, String> {
        let (version, mut row) = stored.split_first().ok_or("an empty row")?;
        let value = rmpv::decode::read_value(&mut row).map_err(|_| "it can't be read")?;
        if !row.is_empty() {
            return Err("something follows the row".to_string());
        }
        Ok(Self {
            key: key.get(1..).unwrap_or_default().to_vec(),
            version: *version,
            value,
        })
    }
}
