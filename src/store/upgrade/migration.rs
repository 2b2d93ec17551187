//! What a step from one schema to the next is made of.

use rmpv::Value;

/// What leads from one schema to the next.
#[derive(Debug)]
pub struct Migration {
    /// The schema it leads to: one more than that of the step before.
    pub schema: u32,
    /// What it does, in a few words for the operator.
    pub name: &'static str,
    /// What it does to the rows of each table, in this order.
    pub walks: &'static [Walk],
}

/// One way through all rows of a table.
#[derive(Debug)]
pub struct Walk {
    /// First byte of the table's keys.
    pub table: u8,
    /// Version that every row of the table has after the walk, whether it was put or left alone:
    /// a row of another version fails the upgrade, because the program could not read it.
    pub version: u8,
    /// What becomes of a row. Each is handed over once, in the order of the keys, however often the
    /// upgrade is broken off. What the function puts and deletes is kept together with how far the
    /// upgrade has come. In the table that is walked it may put a row under the key that it was
    /// handed, and under no other: whether that one is walked too would depend on its place.
    ///
    /// # Errors
    /// What is wrong with the row. It must not quote the row, which is personal data.
    pub row: fn(&OldRow, &mut NewRows) -> Result<(), String>,
}

/// A row as it was before the step.
#[derive(Debug)]
pub struct OldRow {
    /// Its key, without the table's number.
    pub key: Vec<u8>,
    /// Its version, which is that of its table when it was written.
    pub version: u8,
    /// What it says.
    pub value: Value,
}

/// The rows that a step puts and deletes. A row that is left alone stays as it was.
#[derive(Debug, Default)]
pub struct NewRows(Vec<(Vec<u8>, Option<Vec<u8>>)>);

impl NewRows {
    /// Puts a row into a table under a key, in place of one that is there.
    ///
    /// # Errors
    /// When the value can't be written.
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

    /// Keys with their table's number, and what becomes of them.
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
    /// Reads a row of the store.
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
