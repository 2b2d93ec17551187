//! `[[dataset]]` and `[[dataset.field]]` as serde reads them.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::domain::condition::{Condition, Literal};
use crate::domain::product::fields::{
    Confirm, DateLimit, FieldKind, FieldOption, Lookup, LookupFills, LookupNotes, Width,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dataset {
    pub(super) id: u32,
    pub(super) identifier: String,
    pub(super) title: String,
    pub(super) description: Option<String>,
    #[serde(default)]
    pub(super) multi: bool,
    pub(super) min: Option<usize>,
    pub(super) max: Option<usize>,
    pub(super) count_field: Option<String>,
    pub(super) noun: Option<String>,
    pub(super) plural: Option<String>,
    pub(super) confirm: Option<Confirm>,
    pub(super) assume: Option<Map<String, Value>>,
    pub(super) assumed: Option<String>,
    #[serde(default)]
    pub(super) samples: Vec<Map<String, Value>>,
    #[serde(default)]
    pub(super) statements: Vec<String>,
    pub(super) visible_when: Option<Condition>,
    #[serde(default, rename = "field")]
    pub(super) fields: Vec<Field>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) kind: FieldKind,
    pub(super) default: Option<Start>,
    #[serde(default)]
    pub(super) price_default: Vec<PriceDefault>,
    pub(super) value_from: Option<DateFrom>,
    pub(super) min_date: Option<DateFrom>,
    pub(super) max_date: Option<DateFrom>,
    pub(super) min_length: Option<usize>,
    pub(super) max_length: Option<usize>,
    pub(super) min: Option<i64>,
    pub(super) max: Option<i64>,
    #[serde(default)]
    pub(super) display_only: bool,
    #[serde(default)]
    pub(super) force_hidden: bool,
    #[serde(default)]
    pub(super) locked: bool,
    pub(super) required: Option<bool>,
    pub(super) required_when: Option<Condition>,
    #[serde(default)]
    pub(super) folded: bool,
    #[serde(default)]
    pub(super) rateable: bool,
    #[serde(default)]
    pub(super) asked_at_accept: bool,
    #[serde(default)]
    pub(super) unique: bool,
    pub(super) group: Option<String>,
    pub(super) lookup: Option<LookupTable>,
    pub(super) help: Option<String>,
    pub(super) why: Option<String>,
    pub(super) missing: Option<String>,
    #[serde(default)]
    pub(super) options: Vec<FieldOption>,
    pub(super) visible_when: Option<Condition>,
    pub(super) waiting_days: Option<i64>,
    pub(super) width: Option<Width>,
    pub(super) autocomplete: Option<String>,
}

/// `lookup = { make = "vehicle_make", ... }`.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LookupTable {
    make: Option<String>,
    model: Option<String>,
    colour: Option<String>,
    fuel: Option<String>,
    first_registered: Option<String>,
    mot_note: Option<String>,
    tax_note: Option<String>,
    lines: Option<String>,
}

impl From<LookupTable> for Lookup {
    fn from(table: LookupTable) -> Self {
        Self {
            fills: LookupFills {
                make: table.make,
                model: table.model,
                colour: table.colour,
                fuel: table.fuel,
                first_registered: table.first_registered,
                lines: table.lines,
            },
            notes: LookupNotes {
                mot: table.mot_note,
                tax: table.tax_note,
            },
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PriceDefault {
    pub(super) when: Option<Condition>,
    pub(super) value: Start,
}

/// An answer that stands in for a missing one.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "must be an answer, or a date such as { from = \"today\", days = 1 }"
)]
pub(super) enum Start {
    Date(DateFrom),
    Answer(Literal),
}

/// `{ from = "today", days = 1 }`, with `months` or `years` for longer spans.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DateFrom {
    pub(super) from: String,
    #[serde(default)]
    years: i64,
    #[serde(default)]
    months: i64,
    #[serde(default)]
    pub(super) days: i64,
}

impl DateFrom {
    /// Months of it, those of its years included.
    pub(super) fn months(&self) -> i64 {
        self.years.saturating_mul(12).saturating_add(self.months)
    }

    pub(super) fn is_from_today(&self) -> bool {
        self.from == "today"
    }

    /// The wire's form of it. Months have no fixed length in days, so they
    /// are filled in when the form is made for a day.
    pub(super) fn published(&self) -> DateLimit {
        DateLimit {
            from: self.from.clone(),
            days: self.days,
        }
    }
}
