//! Cover checks: whether a vehicle has cover now, and the rescue card.

pub(crate) mod cover_check;
pub(in crate::app) mod live_cover;
pub(crate) mod rescue_card;

pub use cover_check::check_cover;
pub use rescue_card::{
    remove_rescue_card, rescue_card, rescue_card_document, revoke_rescue_cards, store_rescue_card,
};
