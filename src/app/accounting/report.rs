//! Parses payout reports: Stripe's itemised payout report, the settlement reports of Global Payments, or
//! a plain CSV file. If one line has a fault, nothing of the file is stored.

mod globalpayments;
mod line;
mod row;

use std::collections::HashMap;

use crate::config::GatewayName;
use row::{Columns, Row};

pub use line::ReportError;
pub(super) use line::{Report, ReportLine};

/// The required columns of Stripe's `payout_reconciliation.itemized.5`.
const STRIPE: [&str; 7] = [
    "automatic_payout_id",
    "balance_transaction_id",
    "currency",
    "gross",
    "fee",
    "net",
    "reporting_category",
];
/// The required columns of a plain file.
const PLAIN: [&str; 6] = ["reference", "gross", "fee", "net", "kind", "payout"];

/// Parses a report. `gateway` is the gateway's name in the configuration. A plain file requires `gateway`. A
/// column `balance_transaction_id` identifies a report from Stripe. A JSON object is a report from Global
/// Payments.
///
/// # Errors
/// If a required column is missing, or a plain file has no `gateway`. If a report of Global Payments has
/// another `gateway`. If a line can't be parsed. If a transaction of Stripe is repeated with other figures.
pub(super) fn read(text: &str, gateway: Option<&str>) -> Result<Report, ReportError> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('{') {
        let report = globalpayments::read(text)?;
        if gateway.is_some_and(|named| named != report.provider) {
            let why = format!("it is a report of {}: leave out --gateway", report.provider);
            return Err(ReportError::File(why));
        }
        return Ok(report);
    }
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let heading = reader.headers().map_err(|error| csv_error(&error))?.clone();
    let columns = Columns::from_heading(&heading);
    let is_stripe = columns.has("balance_transaction_id");
    let required: &[&str] = if is_stripe { &STRIPE } else { &PLAIN };
    let missing: Vec<&str> = required
        .iter()
        .copied()
        .filter(|name| !columns.has(name))
        .collect();
    if !missing.is_empty() {
        let account_column = if is_stripe {
            "Stripe's payout report"
        } else {
            "a file that can be read"
        };
        let set_apart = match heading.get(0) {
            Some(all) if heading.len() == 1 && all.contains([';', '\t']) => {
                ". Columns must be set apart by commas"
            }
            _ => "",
        };
        return Err(ReportError::File(format!(
            "the first line must name the columns of {account_column}: {} missing{set_apart}",
            are(&missing)
        )));
    }
    let provider = match (gateway, is_stripe) {
        (Some(named), _) => named,
        (None, true) => GatewayName::Stripe.name(),
        (None, false) => {
            let why = "say which gateway the file is of: --gateway NAME";
            return Err(ReportError::File(why.to_string()));
        }
    };
    let mut report = Report::new(provider);
    let mut seen: HashMap<String, usize> = HashMap::new();
    for record in reader.records() {
        let record = record.map_err(|error| csv_error(&error))?;
        let line_number = record.position().map_or(0, csv::Position::line);
        let row = Row {
            line_number,
            columns: &columns,
            record: &record,
        };
        if row.word(is_stripe).eq_ignore_ascii_case("payout") {
            let payout = row.payout(is_stripe).unwrap_or_default();
            report
                .payouts
                .push((line_number, payout, row.amount("net")?));
            continue;
        }
        if is_stripe && row.word(true) == "payout_reversal" {
            let payout = row.payout(true).unwrap_or_default();
            report.returned.push((payout, row.amount("net")?));
            continue;
        }
        let mut line = if is_stripe {
            row.stripe()?
        } else {
            row.parse_plain()?
        };
        if is_stripe {
            if let Some(earlier) = seen
                .get(&line.name)
                .and_then(|index| report.lines.get(*index))
            {
                if (earlier.gross, earlier.fee, earlier.kind) == (line.gross, line.fee, line.kind) {
                    continue;
                }
                let why = format!(
                    "{} stood on line {} with other figures",
                    line.name, earlier.line_number
                );
                return Err(ReportError::Line(line_number, why));
            }
            seen.insert(line.name.clone(), report.lines.len());
        } else {
            // A payout may contain equal lines, such as two equal refunds of one payment. The count
            // gives each line its own name.
            let times = seen.entry(line.name.clone()).or_default();
            *times += 1;
            line.name = format!("{}#{times}", line.name);
        }
        report.lines.push(line);
    }
    Ok(report)
}

fn csv_error(error: &csv::Error) -> ReportError {
    let line_number = error.position().map_or(1, csv::Position::line);
    let why = match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("it has {len} columns where the first line has {expected_len}"),
        csv::ErrorKind::Utf8 { .. } => "it is not UTF-8 text".to_string(),
        _ => "it can't be read".to_string(),
    };
    ReportError::Line(line_number, why)
}

fn are(names: &[&str]) -> String {
    match names {
        [one] => format!("`{one}` is"),
        many => format!("`{}` are", many.join("`, `")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::money::Pence;

    fn fault(text: &str) -> String {
        read(text, Some("smartpayfuse")).unwrap_err().to_string()
    }

    #[test]
    fn a_bad_file_is_refused_with_the_line_that_is_wrong() {
        let heading = "reference,gross,fee,net,kind,payout\n";
        let fault_in = |lines: &str| fault(&format!("{heading}{lines}"));
        assert!(fault("").contains("the first line must name the columns"));
        let semicolons = fault("reference;gross;fee;net;kind;payout\n");
        assert!(semicolons.ends_with("are missing. Columns must be set apart by commas"));
        assert!(
            fault_in("a,\"12,30\",0,\"12,30\",payment,po_1\n").contains("pounds such as 12.34")
        );
        let stripe = "balance_transaction_id,gross,fee,net,currency,reporting_category\n";
        assert!(fault(stripe).contains("`automatic_payout_id` is missing"));
        let good = "a,1.00,0.10,0.90,payment,po_1\n";
        assert_eq!(
            fault_in(&format!("{good}b,1.00,0.10\n")),
            "line 3: it has 3 columns where the first line has 6"
        );
        assert!(
            fault_in(&format!("{good}b,1.00,0.10,0.80,payment,po_1\n"))
                .starts_with("line 3: gross")
        );
        assert!(fault_in("b,one,0,1,payment,po_1\n").starts_with("line 2: `gross` must be pounds"));
        assert!(fault_in("b,1,0,1,sale,po_1\n").starts_with("line 2: `kind` must be"));
        assert!(fault_in("b,1,0,1,payment,\n").starts_with("line 2: `payout` is empty"));
        assert!(fault_in(",1,0,1,payment,po_1\n").starts_with("line 2: `reference` is empty"));
        let unnamed = read(&format!("{heading}{good}"), None).unwrap_err();
        assert!(unnamed.to_string().contains("--gateway"));
    }

    #[test]
    fn lines_that_are_alike_are_two_in_a_plain_file_and_one_in_stripes() {
        let plain = "reference,gross,fee,net,kind,payout\n\
                     a,-1.00,0,-1.00,refund,po_1\na,-1.00,0,-1.00,refund,po_1\n,-2,0,-2,payout,po_1\n";
        let report = read(plain, Some("smartpayfuse")).unwrap();
        assert_eq!(report.lines.len(), 2);
        assert_ne!(report.lines[0].name, report.lines[1].name);
        assert_eq!(report.payouts, [(4, "po_1".to_string(), Pence(-200))]);
        let stripe = "\u{feff}automatic_payout_id,balance_transaction_id,currency,gross,fee,net,\
                      reporting_category,source_id,charge_id,payment_intent_id,payment_metadata[payment]\n\
                      po_1,txn_1,gbp,10.00,0.35,9.65,charge,ch_1,ch_1,pi_1,ours\n\
                      po_1,txn_1,gbp,10.00,0.35,9.65,charge,ch_1,ch_1,pi_1,ours\n";
        let report = read(stripe, None).unwrap();
        assert_eq!(
            (report.provider.as_str(), report.lines.len()),
            ("stripe", 1)
        );
        assert_eq!(report.lines[0].names, ["ch_1", "ours", "pi_1", "ch_1"]);
        assert_eq!(
            (report.lines[0].gross, report.lines[0].fee),
            (Pence(1000), Pence(35))
        );
        let changed = stripe.replacen("10.00,0.35,9.65", "11.00,0.35,10.65", 1);
        let fault = read(&changed, None).unwrap_err().to_string();
        assert!(
            fault.starts_with("line 3: txn_1 stood on line 2"),
            "{fault}"
        );
        let dollars = stripe.replace("gbp", "usd");
        assert!(
            read(&dollars, None)
                .unwrap_err()
                .to_string()
                .contains("currency")
        );
    }
}
