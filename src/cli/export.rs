//! `layby export`.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::Value;

use super::execute::execute;
use super::output::Output;
use super::setup::{self, CommandError};
use crate::app::accounting::unresolved::UnresolvedRow;
use crate::app::commands::StoreCommand;
use crate::app::export::{ExportKind, rows};
use crate::config::Config;

/// Exports quotes, policies, money that needs a person, or the API's document.
#[derive(Args)]
pub(super) struct Export {
    /// The rows or the document to export.
    what: ExportArg,
    /// The status of the payments to export.
    #[arg(long, value_enum, required_if_eq("what", "payments"))]
    status: Option<Status>,
    /// The format of the rows. It does not affect the API's document.
    #[arg(long, value_enum, default_value = "csv")]
    format: Format,
    /// The file to write. The default is standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportArg {
    /// The API's document, OpenAPI 3.0 in JSON.
    Openapi,
    /// Every quote, with any status.
    Quotes,
    /// Every policy, also a policy that was not taken up.
    Policies,
    /// The money that needs a person, with `--status unresolved`. The shop may be running.
    Payments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Status {
    /// Payments, refunds, disputes and payout lines that need a person.
    Unresolved,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A heading, and then one line for each row.
    Csv,
    /// One JSON object on each line.
    Jsonl,
}

impl Export {
    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        if self.status.is_some() && self.what != ExportArg::Payments {
            return Err("--status is for payments".into());
        }
        match self.what {
            ExportArg::Payments => self.unresolved(config),
            _ => setup::runtime()?.block_on(self.export(config)),
        }
    }

    /// Exports the unresolved money, from a running shop or the store of a stopped shop.
    fn unresolved(self, config: &Config) -> Result<(), CommandError> {
        let mut found = Vec::new();
        execute(config, StoreCommand::Unresolved, &mut |row| found.push(row))?;
        let mut out = BufWriter::new(Output::open(self.output.as_deref())?);
        match self.format {
            Format::Jsonl => {
                for row in found {
                    writeln!(out, "{row}")?;
                }
            }
            Format::Csv => {
                let mut lines = csv::Writer::from_writer(&mut out);
                lines.write_record(UnresolvedRow::NAMES)?;
                for row in &found {
                    let (_, cells) = cells(&serde_json::from_str::<Value>(row)?)?;
                    lines.write_record(cells)?;
                }
                lines.flush()?;
            }
        }
        finish(out)
    }

    async fn export(self, config: &Config) -> Result<(), CommandError> {
        // Opens the store before the output, so that an error of the store leaves an earlier export
        // unchanged.
        let store = match self.what {
            ExportArg::Openapi | ExportArg::Payments => None,
            ExportArg::Quotes | ExportArg::Policies => Some(setup::existing_store(config)?),
        };
        let mut out = BufWriter::new(Output::open(self.output.as_deref())?);
        let which = match self.what {
            ExportArg::Quotes => ExportKind::Quotes,
            _ => ExportKind::Policies,
        };
        let now = config.clock().now();
        match (store, self.format) {
            (None, _) => out.write_all(crate::api::openapi().as_bytes())?,
            (Some(store), Format::Jsonl) => {
                rows::<CommandError>(&store, which, now, |row| {
                    serde_json::to_writer(&mut out, &row)?;
                    Ok(out.write_all(b"\n")?)
                })
                .await?
            }
            (Some(store), Format::Csv) => {
                let mut lines = csv::Writer::from_writer(&mut out);
                let mut is_first = true;
                rows::<CommandError>(&store, which, now, |row| {
                    let (names, cells) = cells(&row)?;
                    if std::mem::take(&mut is_first) {
                        lines.write_record(names)?;
                    }
                    Ok(lines.write_record(cells)?)
                })
                .await?;
                lines.flush()?;
            }
        }
        finish(out)
    }
}

/// Writes the rest of the buffer and completes the output.
fn finish(out: BufWriter<Output>) -> Result<(), CommandError> {
    let out = out.into_inner();
    out.map_err(io::IntoInnerError::into_error)?.finish()
}

/// Returns the row's column names and cells.
fn cells(row: &impl Serialize) -> Result<(Vec<String>, Vec<String>), CommandError> {
    let Value::Object(fields) = serde_json::to_value(row)? else {
        return Err("a row is no object".into());
    };
    Ok(fields
        .into_iter()
        .map(|(name, value)| (name, escape_formula(value)))
        .unzip())
}

/// The first characters of formulas. Some spreadsheets treat the full-width signs of East Asian
/// keyboards like the narrow ones (OWASP, CSV injection).
const FORMULA_SIGNS: [char; 10] = [
    '=', '+', '-', '@', '\t', '\r', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}',
];

/// Formats a cell. Puts an apostrophe before a text that a spreadsheet would run as a formula. Names and
/// campaign parameters may contain any text that a visitor typed.
fn escape_formula(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.starts_with(FORMULA_SIGNS) => format!("'{text}"),
        Value::String(text) => text,
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::escape_formula;

    #[test]
    fn what_was_typed_is_no_formula() {
        assert_eq!(escape_formula(json!("=HYPERLINK(1)")), "'=HYPERLINK(1)");
        assert_eq!(escape_formula(json!("@sum")), "'@sum");
        for wide in ["＝1+1", "＋1", "－1", "＠sum"] {
            assert_eq!(escape_formula(json!(wide)), format!("'{wide}"));
        }
        assert_eq!(escape_formula(json!("Zoë, \"Z\"")), "Zoë, \"Z\"");
        assert_eq!(escape_formula(json!(-1.5)), "-1.5");
        assert_eq!(escape_formula(json!(null)), "");
    }
}
