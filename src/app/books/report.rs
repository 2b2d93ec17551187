//! Reading what gateways paid out: Stripe's itemised payout report, or a plain file of commas.
//! A file is read whole before anything of it counts.

use std::collections::HashMap;

use csv::StringRecord;

use crate::domain::money::Pence;
use crate::domain::settlement::LineKind;

/// A file that can't be read, in a sentence that says where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// The file as a whole.
    #[error("{0}")]
    File(String),
    /// One line of it.
    #[error("line {0}: {1}")]
    Line(u64, String),
}

/// A line of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReportLine {
    /// Its place in the file, counted from 1.
    pub(super) at: u64,
    /// What the gateway calls it; a line that is read again has the same name.
    pub(super) name: String,
    /// What the report names what it is about, for people.
    pub(super) reference: String,
    /// Every name of what it is about, the surest first.
    pub(super) names: Vec<String>,
    pub(super) kind: LineKind,
    /// The gateway's word for the kind.
    pub(super) word: String,
    pub(super) payout: Option<String>,
    pub(super) gross: Pence,
    pub(super) fee: Pence,
}

impl ReportLine {
    /// What the gateway keeps for its work, pence.
    pub(super) fn charged(&self) -> Pence {
        match self.kind {
            LineKind::Fee => self.fee - self.gross,
            _ => self.fee,
        }
    }
}

/// What a report says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Report {
    /// The gateway's name in the configuration.
    pub(super) provider: String,
    pub(super) lines: Vec<ReportLine>,
    /// What came to the bank, where the file says so itself: the line, the payout, how much.
    pub(super) payouts: Vec<(u64, String, Pence)>,
}

/// Columns of Stripe's `payout_reconciliation.itemized.5` that must be there.
const STRIPE: [&str; 7] = [
    "automatic_payout_id",
    "balance_transaction_id",
    "currency",
    "gross",
    "fee",
    "net",
    "reporting_category",
];
/// Columns of a plain file.
const PLAIN: [&str; 6] = ["reference", "gross", "fee", "net", "kind", "payout"];

/// Reads a report. `gateway` says whose it is; Stripe's own is known by its columns.
///
/// # Errors
/// Where the file is none that is known, or a line of it can't be read.
pub(super) fn read(text: &str, gateway: Option<&str>) -> Result<Report, ReportError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let heading = reader.headers().map_err(|error| wrong(&error))?.clone();
    let columns = Columns::of(&heading);
    let is_stripe = columns.has("balance_transaction_id");
    let wanted: &[&str] = if is_stripe { &STRIPE } else { &PLAIN };
    let missing: Vec<&str> = wanted
        .iter()
        .copied()
        .filter(|name| !columns.has(name))
        .collect();
    if !missing.is_empty() {
        let of = if is_stripe {
            "Stripe's payout report"
        } else {
            "a file that can be read"
        };
        return Err(ReportError::File(format!(
            "the first line must name the columns of {of}: {} missing",
            are(&missing)
        )));
    }
    let provider = match (gateway, is_stripe) {
        (Some(named), _) => named,
        (None, true) => "stripe",
        (None, false) => {
            let why = "say which gateway the file is of: --gateway NAME";
            return Err(ReportError::File(why.to_string()));
        }
    };
    let mut report = Report {
        provider: provider.to_string(),
        lines: Vec::new(),
        payouts: Vec::new(),
    };
    let mut known: HashMap<String, usize> = HashMap::new();
    for record in reader.records() {
        let record = record.map_err(|error| wrong(&error))?;
        let at = record.position().map_or(0, csv::Position::line);
        let row = Row {
            at,
            columns: &columns,
            record: &record,
        };
        if row.word(is_stripe).eq_ignore_ascii_case("payout") {
            let payout = row.payout(is_stripe).unwrap_or_default();
            report.payouts.push((at, payout, row.amount("net")?));
            continue;
        }
        let mut line = if is_stripe {
            row.stripe()?
        } else {
            row.plain()?
        };
        if is_stripe {
            if let Some(earlier) = known.get(&line.name).and_then(|at| report.lines.get(*at)) {
                if (earlier.gross, earlier.fee, earlier.kind) == (line.gross, line.fee, line.kind) {
                    continue;
                }
                let why = format!(
                    "{} stood on line {} with other figures",
                    line.name, earlier.at
                );
                return Err(ReportError::Line(at, why));
            }
            known.insert(line.name.clone(), report.lines.len());
        } else {
            // Two parts of one payment may go back on one day: the second is another line.
            let times = known.entry(line.name.clone()).or_default();
            *times += 1;
            line.name = format!("{}#{times}", line.name);
        }
        report.lines.push(line);
    }
    Ok(report)
}

fn wrong(error: &csv::Error) -> ReportError {
    let at = error.position().map_or(1, csv::Position::line);
    let why = match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("it has {len} columns where the first line has {expected_len}"),
        csv::ErrorKind::Utf8 { .. } => "it is no text in UTF-8".to_string(),
        _ => "it can't be read".to_string(),
    };
    ReportError::Line(at, why)
}

fn are(names: &[&str]) -> String {
    match names {
        [one] => format!("`{one}` is"),
        many => format!("`{}` are", many.join("`, `")),
    }
}

/// Where each column stands.
struct Columns(Vec<String>);

impl Columns {
    fn of(heading: &StringRecord) -> Self {
        Self(heading.iter().map(str::to_ascii_lowercase).collect())
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|column| column == name)
    }
}

/// A line that is being read.
struct Row<'a> {
    at: u64,
    columns: &'a Columns,
    record: &'a StringRecord,
}

impl Row<'_> {
    /// What stands in a column; none where it is empty.
    fn cell(&self, name: &str) -> Option<&str> {
        let at = self.columns.0.iter().position(|column| column == name)?;
        self.record.get(at).filter(|cell| !cell.is_empty())
    }

    fn fault(&self, why: String) -> ReportError {
        ReportError::Line(self.at, why)
    }

    fn word(&self, is_stripe: bool) -> &str {
        let column = if is_stripe {
            "reporting_category"
        } else {
            "kind"
        };
        self.cell(column).unwrap_or_default()
    }

    fn payout(&self, is_stripe: bool) -> Option<String> {
        let column = if is_stripe {
            "automatic_payout_id"
        } else {
            "payout"
        };
        self.cell(column).map(str::to_string)
    }

    /// An amount in pounds: `12`, `12.3`, `-12.34`.
    fn amount(&self, name: &str) -> Result<Pence, ReportError> {
        let cell = self.cell(name).unwrap_or_default();
        pounds(cell).ok_or_else(|| {
            self.fault(format!(
                "`{name}` must be pounds such as 12.34, and is `{cell}`"
            ))
        })
    }

    /// Gross and fee, which must make up what is paid out.
    fn amounts(&self) -> Result<(Pence, Pence), ReportError> {
        let (gross, fee) = (self.amount("gross")?, self.amount("fee")?);
        let net = self.amount("net")?;
        if gross - fee != net {
            let why = format!("gross {gross} less fee {fee} is not net {net}");
            return Err(self.fault(why));
        }
        Ok((gross, fee))
    }

    fn stripe(&self) -> Result<ReportLine, ReportError> {
        let Some(name) = self.cell("balance_transaction_id") else {
            return Err(self.fault("`balance_transaction_id` is empty".to_string()));
        };
        let currency = self.cell("currency").unwrap_or_default();
        if !currency.eq_ignore_ascii_case("gbp") {
            let why = format!("the currency must be gbp, and is `{currency}`");
            return Err(self.fault(why));
        }
        let (gross, fee) = self.amounts()?;
        let word = self.word(true);
        let metadata = |of: &str| {
            let named = self.columns.0.iter().zip(self.record);
            let named = named.filter(|(column, cell)| column.starts_with(of) && !cell.is_empty());
            named.map(|(_, cell)| cell.to_string()).collect::<Vec<_>>()
        };
        let mut names = metadata("refund_metadata[");
        names.extend(self.cell("source_id").map(str::to_string));
        names.extend(metadata("payment_metadata["));
        let own = ["payment_intent_id", "charge_id"].map(|column| self.cell(column));
        names.extend(own.into_iter().flatten().map(str::to_string));
        let reference = names.last().map_or(name, String::as_str).to_string();
        Ok(ReportLine {
            at: self.at,
            name: name.to_string(),
            reference,
            names,
            kind: match word {
                "charge" => LineKind::Payment,
                "refund" => LineKind::Refund,
                "refund_failure" => LineKind::RefundFailure,
                "dispute" => LineKind::Dispute,
                "dispute_reversal" => LineKind::DisputeReturned,
                "fee" | "network_cost" | "tax" => LineKind::Fee,
                _ => LineKind::Other,
            },
            word: word.to_string(),
            payout: self.payout(true),
            gross,
            fee,
        })
    }

    fn plain(&self) -> Result<ReportLine, ReportError> {
        let (gross, fee) = self.amounts()?;
        let word = self.word(false).to_ascii_lowercase();
        let kind = match word.as_str() {
            "payment" => LineKind::Payment,
            "refund" => LineKind::Refund,
            "refund_failure" => LineKind::RefundFailure,
            "dispute" => LineKind::Dispute,
            "dispute_reversal" => LineKind::DisputeReturned,
            "fee" => LineKind::Fee,
            _ => {
                return Err(self.fault(format!(
                    "`kind` must be payment, refund, refund_failure, dispute, dispute_reversal, fee or \
                     payout, and is `{word}`"
                )));
            }
        };
        let Some(payout) = self.payout(false) else {
            return Err(self.fault("`payout` is empty".to_string()));
        };
        let reference = self.cell("reference").unwrap_or_default().to_string();
        if reference.is_empty() && kind != LineKind::Fee {
            return Err(self.fault("`reference` is empty".to_string()));
        }
        Ok(ReportLine {
            at: self.at,
            name: format!("{payout}|{word}|{reference}|{}|{}", gross.0, fee.0),
            names: vec![reference.clone()],
            reference,
            kind,
            word,
            payout: Some(payout),
            gross,
            fee,
        })
    }
}

/// An amount in pounds with at most two decimals.
fn pounds(cell: &str) -> Option<Pence> {
    let (sign, digits) = match cell.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, cell),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "00"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(part) || part.len() > 2 || whole.len() > 12 {
        return None;
    }
    let pence = whole.parse::<i64>().ok()? * 100;
    let part = format!("{part:0<2}").parse::<i64>().ok()?;
    Some(Pence(sign * (pence + part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pounds_are_read_to_the_penny_or_not_at_all() {
        for (text, pence) in [
            ("12", 1200),
            ("12.3", 1230),
            ("-0.05", -5),
            ("1234.56", 123_456),
        ] {
            assert_eq!(pounds(text), Some(Pence(pence)), "{text}");
        }
        for text in [
            "", "-", ".5", "5.", "1.234", "1,000.00", "£5", "+5", "1e3", "--5", "NaN",
        ] {
            assert_eq!(pounds(text), None, "{text}");
        }
    }

    fn fault(text: &str) -> String {
        read(text, Some("opayo")).unwrap_err().to_string()
    }

    #[test]
    fn a_bad_file_is_refused_with_the_line_that_is_wrong() {
        let heading = "reference,gross,fee,net,kind,payout\n";
        let of = |lines: &str| fault(&format!("{heading}{lines}"));
        assert!(fault("").contains("the first line must name the columns"));
        assert!(fault("reference;gross\n").contains("are missing"));
        let stripe = "balance_transaction_id,gross,fee,net,currency,reporting_category\n";
        assert!(fault(stripe).contains("`automatic_payout_id` is missing"));
        let good = "a,1.00,0.10,0.90,payment,po_1\n";
        assert_eq!(
            of(&format!("{good}b,1.00,0.10\n")),
            "line 3: it has 3 columns where the first line has 6"
        );
        assert!(of(&format!("{good}b,1.00,0.10,0.80,payment,po_1\n")).starts_with("line 3: gross"));
        assert!(of("b,one,0,1,payment,po_1\n").starts_with("line 2: `gross` must be pounds"));
        assert!(of("b,1,0,1,sale,po_1\n").starts_with("line 2: `kind` must be"));
        assert!(of("b,1,0,1,payment,\n").starts_with("line 2: `payout` is empty"));
        assert!(of(",1,0,1,payment,po_1\n").starts_with("line 2: `reference` is empty"));
        let unnamed = read(&format!("{heading}{good}"), None).unwrap_err();
        assert!(unnamed.to_string().contains("--gateway"));
    }

    #[test]
    fn lines_that_are_alike_are_two_in_a_plain_file_and_one_in_stripes() {
        let plain = "reference,gross,fee,net,kind,payout\n\
                     a,-1.00,0,-1.00,refund,po_1\na,-1.00,0,-1.00,refund,po_1\n,-2,0,-2,payout,po_1\n";
        let report = read(plain, Some("opayo")).unwrap();
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
