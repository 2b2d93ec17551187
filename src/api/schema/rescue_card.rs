//! JSON schemas of rescue cards, apart from the card itself.

use serde::Serialize;

use crate::app::policies::RescueCard;
use crate::json_schema::ResponseSchema;

/// A rescue card for the device that asked.
#[derive(Serialize, ResponseSchema)]
pub struct KeptCard {
    /// Reads this card again, and nothing else.
    pub(in crate::api) key: String,
    pub(in crate::api) card: RescueCard,
}

/// The result of stopping a policy's rescue cards.
#[derive(Serialize, ResponseSchema)]
pub struct StoppedCards {
    /// How many there were.
    pub(in crate::api) stopped: usize,
}
