//! The documents there are: of a product, and of a policy.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A document of a product's version, the same for everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProductDocument {
    /// The policy wording.
    Wording,
    /// The insurance product information document.
    Ipid,
}

impl ProductDocument {
    /// Both, in the order they are listed.
    pub const ALL: [Self; 2] = [Self::Wording, Self::Ipid];

    /// Its word in identifiers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wording => "wording",
            Self::Ipid => "ipid",
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Wording => "Policy Wording",
            Self::Ipid => "Insurance Product Information Document (IPID)",
        }
    }

    /// Its identifier on the wire: `breakdown-2026.8-wording`.
    #[must_use]
    pub fn identifier(self, product: &str, version: &str) -> String {
        format!("{product}-{version}-{}", self.name())
    }

    /// Which document an identifier names, and its product and version, joined by a hyphen.
    #[must_use]
    pub fn named(identifier: &str) -> Option<(Self, &str)> {
        let (version, name) = identifier.rsplit_once('-')?;
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == name)?;
        Some((kind, version))
    }
}

/// A kind of document that a policy has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// What is covered, for whom, when and for how much.
    Schedule,
    /// What the customer needs; a quote has one before it is bought.
    DemandsAndNeeds,
    /// What was paid.
    Receipt,
    /// The one about a change.
    Adjustment,
    /// The one about the end of cover.
    Cancellation,
    /// The renewal notice.
    Renewal,
}

impl DocumentKind {
    /// Its word in the digest that its id is made of. It must never change: the ids would.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Schedule => "schedule",
            Self::DemandsAndNeeds => "demands_and_needs",
            Self::Receipt => "receipt",
            Self::Adjustment => "adjustment",
            Self::Cancellation => "cancellation",
            Self::Renewal => "renewal",
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Schedule => "Policy Schedule",
            Self::DemandsAndNeeds => "Demands and Needs Statement",
            Self::Receipt => "Receipt",
            Self::Adjustment => "Change of Policy",
            Self::Cancellation => "Cancellation Letter",
            Self::Renewal => "Renewal Notice",
        }
    }

    /// Its place in a list.
    #[must_use]
    pub const fn rank(self) -> u8 {
        match self {
            Self::Schedule => 0,
            Self::DemandsAndNeeds => 1,
            Self::Receipt => 2,
            Self::Adjustment => 3,
            Self::Renewal => 4,
            Self::Cancellation => 5,
        }
    }

    /// The heading it is listed under.
    #[must_use]
    pub const fn group(self) -> &'static str {
        match self {
            Self::Schedule | Self::DemandsAndNeeds | Self::Receipt => "Your policy",
            Self::Adjustment | Self::Cancellation | Self::Renewal => "Letters",
        }
    }
}

/// A document of a policy. Its pages are kept beside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Its identifier on the wire.
    pub id: Uuid,
    /// The policy, or the quote while it isn't bought.
    pub policy: Uuid,
    /// What it is.
    pub kind: DocumentKind,
    /// The revision it speaks of.
    pub revision: u32,
    /// The payment, adjustment or cancellation it is about, where there can be several.
    pub about: Option<Uuid>,
    /// The revision of the renewal quote, for a renewal notice; `revision` is the policy's.
    pub about_revision: Option<u32>,
    /// When it was requested.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// When it was printed; none until then.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub made: Option<DateTime<Utc>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_names_its_document_again() {
        let wording = ProductDocument::Wording.identifier("roof-rack", "2026.3-a");
        assert_eq!(wording, "roof-rack-2026.3-a-wording");
        let named = ProductDocument::named(&wording);
        assert_eq!(
            named,
            Some((ProductDocument::Wording, "roof-rack-2026.3-a"))
        );
        assert_eq!(ProductDocument::named("roof-rack-2026.3-a"), None);
        assert_eq!(ProductDocument::named("wording"), None);
    }
}
