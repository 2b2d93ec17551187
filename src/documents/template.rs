//! The built-in templates and their shared look.

/// The styles that all templates share.
pub(super) const LOOK: (&str, &str) = ("look.typ", include_str!("templates/look.typ"));

/// The kinds of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentTemplate {
    /// The policy schedule: the cover, the period, the customer's answers and the price.
    Schedule,
    /// The insurance product information document: nine headings on two pages.
    Ipid,
    /// The policy wording.
    Wording,
    /// The customer's needs, and why this cover meets the needs.
    DemandsAndNeeds,
    /// A payment.
    Receipt,
    /// The payments of a policy that is paid monthly.
    Plan,
    /// A change that was made.
    Adjustment,
    /// Cover that was ended.
    Cancellation,
    /// The price of the next year.
    Renewal,
}

impl DocumentTemplate {
    pub const ALL: [Self; 9] = [
        Self::Schedule,
        Self::Ipid,
        Self::Wording,
        Self::DemandsAndNeeds,
        Self::Receipt,
        Self::Plan,
        Self::Adjustment,
        Self::Cancellation,
        Self::Renewal,
    ];

    /// Returns the name of the template's file. A file with this name in the folder of overrides
    /// replaces the template.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            Self::Schedule => "schedule.typ",
            Self::Ipid => "ipid.typ",
            Self::Wording => "wording.typ",
            Self::DemandsAndNeeds => "demands-and-needs.typ",
            Self::Receipt => "receipt.typ",
            Self::Plan => "plan.typ",
            Self::Adjustment => "adjustment.typ",
            Self::Cancellation => "cancellation.typ",
            Self::Renewal => "renewal.typ",
        }
    }

    pub(super) const fn built_in(self) -> &'static str {
        match self {
            Self::Schedule => include_str!("templates/schedule.typ"),
            Self::Ipid => include_str!("templates/ipid.typ"),
            Self::Wording => include_str!("templates/wording.typ"),
            Self::DemandsAndNeeds => include_str!("templates/demands-and-needs.typ"),
            Self::Receipt => include_str!("templates/receipt.typ"),
            Self::Plan => include_str!("templates/plan.typ"),
            Self::Adjustment => include_str!("templates/adjustment.typ"),
            Self::Cancellation => include_str!("templates/cancellation.typ"),
            Self::Renewal => include_str!("templates/renewal.typ"),
        }
    }
}
