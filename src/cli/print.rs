//! What a command prints, line by line, whether it did the work itself or a running shop did it.

use std::error::Error;
use std::io::{self, ErrorKind, Write};
use std::ops::ControlFlow;

use crate::api::local::Line;

/// Prints a line at once. Breaks off where nobody can be told any more.
pub(super) fn print(mut out: impl Write, line: &str) -> ControlFlow<()> {
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}

/// Prints what a command says.
pub(super) fn say(line: &str) -> ControlFlow<()> {
    print(std::io::stdout().lock(), line)
}

/// Prints what a running shop says; not how far it is.
pub(super) fn repeat(line: Line) {
    if let Line::Says(text) = line {
        let _ = say(&text);
    }
}

/// Whether a command failed because nobody reads its output any more.
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
