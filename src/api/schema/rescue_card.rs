//! JSON schemas of rescue cards, apart from the card itself.

use serde::Serialize;

use crate::app::policies::RescueCard;
use crate::json_schema::ResponseSchema;

/// A rescue card for the device that asked.
#[derive(Serialize, ResponseSchema)]
pub struct KeptCard {
    /// The key of the card, for the header `X-Card-Key`. It reads the card and the card's documents.
    pub(in crate::api) key: String,
    pub(in crate::api) card: RescueCard,
}

/// The result of revoking a policy's rescue cards.
#[derive(Serialize, ResponseSchema)]
pub struct StoppedCards {
    /// The number of revoked cards.
    pub(in crate::api) stopped: usize,
}
