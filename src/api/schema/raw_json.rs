//! JSON that is written before the rest of its response.

use std::io;

use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

/// JSON text that is already written. The schema of the containing member defines the form of the text.
///
/// For speed, this type alone writes raw bytes into a JSON response. The response to reading a quote is
/// mostly the quote's form state, and most of that state never changes. So the form state is joined from
/// texts that were written when the product was loaded. Tests compare the response with the schema.
pub struct RawJson(pub Vec<u8>);

impl Serialize for RawJson {
    /// Passes the bytes to [`WithPrepared`]. No other part of a response is written as bytes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

/// Writes JSON without spaces, and copies [`RawJson`] unchanged.
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
