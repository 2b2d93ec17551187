//! `layby export`.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Failure;

/// Writes something out.
#[derive(Args)]
pub(super) struct Export {
    /// What to write.
    what: What,
    /// Folder of the store.
    #[arg(long, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    /// File to write; standard output without it.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// The API's document, OpenAPI 3.0.
    Openapi,
}

impl Export {
    pub(super) fn run(self) -> Result<(), Failure> {
        let text = match self.what {
            What::Openapi => crate::api::openapi(),
        };
        match self.output {
            Some(path) => std::fs::write(&path, text)
                .map_err(|error| format!("{} can't be written: {error}", path.display()))?,
            None => std::io::stdout().write_all(text.as_bytes())?,
        }
        Ok(())
    }
}
