//! What is done with what is looked up by a field's answer, as it goes over the wire.

use crate::api::wire::published::answer;
use crate::domain::product::fields;

answer! {
    /// The fields of the same dataset that a look-up answers, by their names.
    pub struct LookupFills {
        #[serde(skip_serializing_if = "Option::is_none")]
        make: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        colour: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        fuel: Option<String>,
        /// A date: the first day of the month.
        #[serde(skip_serializing_if = "Option::is_none")]
        first_registered: Option<String>,
        /// An address: its lines and town.
        #[serde(skip_serializing_if = "Option::is_none")]
        lines: Option<String>,
    }
}

answer! {
    /// What is said of a vehicle that was looked up.
    pub struct LookupNotes {
        /// When its MOT has run out.
        #[serde(skip_serializing_if = "Option::is_none")]
        mot: Option<String>,
        /// When it isn't taxed.
        #[serde(skip_serializing_if = "Option::is_none")]
        tax: Option<String>,
    }
}

answer! {
    /// What is done with what is looked up by a field's answer.
    pub struct FieldLookup {
        fills: LookupFills,
        notes: LookupNotes,
    }
}

impl From<fields::Lookup> for FieldLookup {
    fn from(lookup: fields::Lookup) -> Self {
        let fields::Lookup { fills, notes } = lookup;
        Self {
            fills: LookupFills {
                make: fills.make,
                model: fills.model,
                colour: fills.colour,
                fuel: fills.fuel,
                first_registered: fills.first_registered,
                lines: fills.lines,
            },
            notes: LookupNotes {
                mot: notes.mot,
                tax: notes.tax,
            },
        }
    }
}
