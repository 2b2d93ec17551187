//! The kinds of fields: which answers each kind accepts, and how documents show them. Add a new kind here
//! first. docs/CONTRIBUTING.md lists the other files to change, such as the control on the website.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::domain::product::condition::{Literal, Scalar};
use crate::domain::text;
use crate::domain::time::dates;
use crate::domain::uk::{email, phone, postcode, registration};
use crate::json_schema::ResponseSchema;

/// Maximum length of a text, in characters, if its field sets none.
const MAX_TEXT: usize = 100;
/// Maximum length of an address, in characters, if its field sets none.
const MAX_ADDRESS: usize = 300;

/// The kind of a field: its control and the format of its answer. The answer to `yes_no` is 1 for yes and 2
/// for no. A `date` is `dd.MM.yyyy`. A `phone` is stored in E.164. A `number` has at most two decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// Big cards. The customer chooses one of them.
    Cards,
    Radio,
    /// A drop-down list.
    Select,
    /// 1 is yes, 2 is no (specification, part 3).
    YesNo,
    Checkbox,
    /// One line of text.
    Text,
    Email,
    /// A telephone number, stored in E.164.
    Phone,
    Postcode,
    /// A UK registration mark.
    Registration,
    /// A date, `dd.MM.yyyy`.
    Date,
    /// A number with at most two decimals.
    Number,
    Address,
    /// A UK registration mark, by which the vehicle is looked up.
    VehicleLookup,
    /// A UK postcode, by which the address is looked up.
    AddressLookup,
}

impl FieldKind {
    /// Returns whether the answer is a registration mark.
    pub fn is_registration(self) -> bool {
        matches!(self, Self::Registration | Self::VehicleLookup)
    }

    /// Returns whether the answer starts a look-up.
    pub fn is_lookup(self) -> bool {
        matches!(self, Self::VehicleLookup | Self::AddressLookup)
    }

    /// Returns whether the customer chooses one of a list of options.
    pub fn has_options(self) -> bool {
        matches!(self, Self::Cards | Self::Radio | Self::Select | Self::YesNo)
    }

    /// Returns whether the customer chooses one of the product's own options.
    pub fn is_choice(self) -> bool {
        self.has_options() && self != Self::YesNo
    }

    /// Returns whether the answer can name an instance, such as a trip by its date.
    pub fn is_name(self) -> bool {
        self.is_choice() || matches!(self, Self::Text | Self::Date)
    }

    /// Returns the maximum length of an answer in characters, if the product file sets none.
    pub(in crate::domain::product) fn default_max_length(self) -> usize {
        match self {
            Self::Address => MAX_ADDRESS,
            _ => MAX_TEXT,
        }
    }

    /// Returns the text for a missing answer. `label` begins in lower case.
    pub(in crate::domain::product) fn missing_text(self, label: &str) -> String {
        match self {
            Self::Checkbox => format!("Tick the box: {label}"),
            kind if kind.has_options() => format!("Choose an answer: {label}"),
            _ => format!("Enter {label}"),
        }
    }

    /// Returns the error text for an answer that is not a text.
    pub(in crate::domain::product) fn not_text(self) -> &'static str {
        match self {
            Self::Date => "Enter a date such as 01/06/2026",
            _ => "Enter this as text",
        }
    }

    /// Returns the normalised answer of a kind that is checked only by its text and `today`.
    ///
    /// # Errors
    /// Returns the error text for the customer.
    pub(in crate::domain::product) fn check_text(
        self,
        typed: &str,
        (min_length, max_length): (usize, usize),
        today: NaiveDate,
    ) -> Result<String, String> {
        Ok(match self {
            Self::Email => email::check(typed)
                .ok_or("Enter an email address in the format name@example.com")?,
            Self::Phone => phone::check(typed).ok_or(phone::FAULT)?,
            Self::Postcode | Self::AddressLookup => {
                postcode::check(typed).ok_or("Enter a UK postcode, such as SW1A 1AA")?
            }
            Self::Registration | Self::VehicleLookup => {
                registration::check(typed, today).map_err(|fault| fault.text())?
            }
            Self::Address => text::lines(typed, min_length, max_length)?,
            _ => text::line(typed, min_length, max_length)?,
        })
    }

    /// Returns whether a value of a product file can be the answer. Kinds with options need a check
    /// of the options instead.
    pub(in crate::domain::product) fn can_be_answer(self, value: &Literal) -> bool {
        match (self, value) {
            (Self::Checkbox, value) => matches!(value, Literal::Bool(_)),
            (Self::Number, value) => matches!(value, Literal::Number(_)),
            (Self::Date, Literal::Text(text)) => dates::parse_form_date(text).is_some(),
            (_, value) => matches!(value, Literal::Text(text) if !text.is_empty()),
        }
    }

    /// Returns the answer as documents and letters show it, or `None` if the kind has no format for
    /// the answer. An invalid date becomes an empty text.
    pub(in crate::domain) fn format(self, answer: Scalar<'_>) -> Option<String> {
        match (self, answer) {
            (Self::Date, Scalar::Text(date)) => {
                let date = dates::parse_form_date(date);
                Some(date.map(dates::shown_date).unwrap_or_default())
            }
            (Self::Phone, Scalar::Text(stored)) => Some(phone::format_phone(stored)),
            (Self::Checkbox, Scalar::Bool(ticked)) => {
                Some(if ticked { "Yes" } else { "No" }.to_owned())
            }
            _ => None,
        }
    }
}
