//! Rescue cards as they go over the wire.

use chrono::{DateTime, Utc};
use poem_openapi::Enum;
use serde::Serialize;

use super::document::DocumentItem;
use super::published::answer;
use crate::app::policies::{CardCover, CardStanding, RescueCard};
use crate::config::Site;
use crate::domain::cover_now;

/// Where the policy of a card stands.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "CardStanding")]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    Live,
    Cancelled,
    Ended,
}

answer! {
    /// A time that is covered without a gap.
    pub struct CoverSpan {
        begins: DateTime<Utc>,
        /// The first moment that isn't covered any more.
        ends: DateTime<Utc>,
    }
}

answer! {
    /// What a rescue card says of one policy.
    pub struct CardPolicy {
        reference: String,
        title: String,
        /// What was chosen, in the product's own words.
        lines: Vec<String>,
        registrations: Vec<String>,
        standing: Standing,
        /// The times that are covered, the earliest first; none where the policy is cancelled or over.
        spans: Vec<CoverSpan>,
        /// Who to call.
        phone: String,
        documents: Vec<DocumentItem>,
    }
}

answer! {
    /// A rescue card.
    pub struct Card {
        brand: String,
        /// Who to call whatever the card says.
        assistance_phone: String,
        /// Who reads text messages from the roadside; null where nobody does.
        assistance_text: Option<String>,
        /// The policy that counts now, and its renewal where that is bought.
        policies: Vec<CardPolicy>,
        /// When this was so.
        as_of: DateTime<Utc>,
    }
}

answer! {
    /// A rescue card for the device that asked.
    pub struct KeptCard {
        /// Reads this card again, and nothing else.
        pub(in crate::api) key: String,
        pub(in crate::api) card: Card,
    }
}

answer! {
    /// What became of the cards of a policy.
    pub struct StoppedCards {
        /// How many there were.
        pub(in crate::api) stopped: usize,
    }
}

impl Card {
    /// The card of a shop.
    pub fn of(card: RescueCard, site: &Site) -> Self {
        let RescueCard { covers, as_of } = card;
        Self {
            brand: site.brand.clone(),
            assistance_phone: site.assistance_phone.clone(),
            assistance_text: site.assistance_text.clone(),
            policies: covers.into_iter().map(CardPolicy::from).collect(),
            as_of,
        }
    }
}

impl From<CardCover> for CardPolicy {
    fn from(cover: CardCover) -> Self {
        let CardCover {
            reference,
            title,
            lines,
            registrations,
            standing,
            spans,
            phone,
            documents,
        } = cover;
        Self {
            reference,
            title,
            lines,
            registrations,
            standing: standing.into(),
            spans: spans.into_iter().map(CoverSpan::from).collect(),
            phone,
            documents: documents.into_iter().map(DocumentItem::from).collect(),
        }
    }
}

impl From<cover_now::Span> for CoverSpan {
    fn from(span: cover_now::Span) -> Self {
        let cover_now::Span { begins, ends } = span;
        Self { begins, ends }
    }
}
