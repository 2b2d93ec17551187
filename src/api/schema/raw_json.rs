//! JSON that is written before its answer is.

use std::io;

use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

/// JSON that is already written. The schema of the member that holds it says which form it has.
///
/// This is an optimisation, and the only place where bytes are put into an answer: a quote's form
/// state is most of what is answered when it is read, and most of it never changes, so that it is
/// joined of texts that were written when the product was loaded. Tests compare what is sent with
/// that schema.
pub struct RawJson(pub Vec<u8>);

impl Serialize for RawJson {
    /// Hands the bytes to [`WithPrepared`]. No other part of an answer is written as bytes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

/// Writes JSON without spaces, and [`RawJson`] as it is.
pub struct WithPrepared;

impl Formatter for WithPrepared {
    fn write_byte_array<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        json: &[u8],
    ) -> io::Result<()> {
        writer.write_all(json)
    }
}
