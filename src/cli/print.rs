//! What a command prints, line by line, whether it did the work itself or a running shop did it.

use std::io::Write;
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
