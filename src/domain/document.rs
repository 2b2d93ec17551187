//! The documents of product versions and of policies.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A document of a product version, the same for all customers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProductDocument {
    /// The policy wording.
    Wording,
    /// The insurance product information document.
    Ipid,
}

impl ProductDocument {
    /// Both documents, in the order of lists.
    pub const ALL: [Self; 2] = [Self::Wording, Self::Ipid];

    /// Returns the last part of the document's identifier.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wording => "wording",
            Self::Ipid => "ipid",
        }
    }

    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Wording => "Policy Wording",
            Self::Ipid => "Insurance Product Information Document (IPID)",
        }
    }

    /// Returns the identifier in the API: `breakdown-2026.8-wording`.
    #[must_use]
    pub fn identifier(self, product: &str, version: &str) -> String {
        format!("{product}-{version}-{}", self.name())
    }

    /// Splits an identifier into the document, and the product and version joined by a hyphen.
    /// Returns `None` if the identifier does not end in the name of a document.
    #[must_use]
    pub fn parse(identifier: &str) -> Option<(Self, &str)> {
        let (version, name) = identifier.rsplit_once('-')?;
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == name)?;
        Some((kind, version))
    }
}

/// A kind of document of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// What is covered, for whom, when and for how much.
    Schedule,
    /// The customer's demands and needs. A quote has this document before it is bought.
    DemandsAndNeeds,
    /// The receipt of a payment.
    Receipt,
    /// The payments of a policy that is paid monthly.
    Plan,
    /// The letter about a change.
    Adjustment,
    /// The letter about the end of cover.
    Cancellation,
    /// The renewal notice.
    Renewal,
}

impl DocumentKind {
    /// Returns the word that is hashed into the document's id. The word must never change, because
    /// the id would change too.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Schedule => "schedule",
            Self::DemandsAndNeeds => "demands_and_needs",
            Self::Receipt => "receipt",
            Self::Plan => "plan",
            Self::Adjustment => "adjustment",
            Self::Cancellation => "cancellation",
            Self::Renewal => "renewal",
        }
    }

    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Schedule => "Policy Schedule",
            Self::DemandsAndNeeds => "Demands and Needs Statement",
            Self::Receipt => "Receipt",
            Self::Plan => "Payment Plan",
            Self::Adjustment => "Change of Policy",
            Self::Cancellation => "Cancellation Letter",
            Self::Renewal => "Renewal Notice",
        }
    }

    /// Returns the position in a list of documents.
    #[must_use]
    pub const fn rank(self) -> u8 {
        match self {
            Self::Schedule => 0,
            Self::DemandsAndNeeds => 1,
            Self::Receipt => 2,
            Self::Plan => 3,
            Self::Adjustment => 4,
            Self::Renewal => 5,
            Self::Cancellation => 6,
        }
    }

    /// Returns the heading over the document in a list.
    #[must_use]
    pub const fn group(self) -> &'static str {
        match self {
            Self::Schedule | Self::DemandsAndNeeds | Self::Receipt | Self::Plan => "Your policy",
            Self::Adjustment | Self::Cancellation | Self::Renewal => "Letters",
        }
    }
}

/// A document of a policy, or of a quote before its purchase. The blob store has the PDF once
/// `made` is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The id in the API.
    pub id: Uuid,
    /// The policy, or the quote before its purchase.
    pub policy: Uuid,
    pub kind: DocumentKind,
    /// The revision of the policy or quote that the document describes.
    pub revision: u32,
    /// The payment, adjustment, cancellation or renewal quote that the document is about, if any.
    pub subject_id: Option<Uuid>,
    /// The revision of the renewal quote in a renewal notice. `revision` is the policy's revision.
    pub subject_revision: Option<u32>,
    /// When the document was ordered.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// When the PDF was rendered, or `None` before that.
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
        let named = ProductDocument::parse(&wording);
        assert_eq!(
            named,
            Some((ProductDocument::Wording, "roof-rack-2026.3-a"))
        );
        assert_eq!(ProductDocument::parse("roof-rack-2026.3-a"), None);
        assert_eq!(ProductDocument::parse("wording"), None);
    }
}
