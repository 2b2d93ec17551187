//! Prints a command's output, line by line.

use std::error::Error;
use std::io::{self, ErrorKind, Write};

/// Prints a line and flushes the output. Ignores errors, so that the work continues if nobody reads the
/// output.
pub(super) fn print(mut out: impl Write, line: &str) {
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Prints a line to standard output.
pub(super) fn print_line(line: impl AsRef<str>) {
    print(std::io::stdout().lock(), line.as_ref());
}

/// Checks whether a command failed because nobody reads its output any more.
pub(super) fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let kind = if let Some(error) = error.downcast_ref::<io::Error>() {
        Some(error.kind())
    } else if let Some(error) = error.downcast_ref::<serde_json::Error>() {
        error.io_error_kind()
    } else if let Some(csv::ErrorKind::Io(error)) = error.downcast_ref().map(csv::Error::kind) {
        Some(error.kind())
    } else {
        None
    };
    kind == Some(ErrorKind::BrokenPipe)
}
