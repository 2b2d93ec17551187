//! Cover: whether a vehicle has it now, and the rescue card.

pub(crate) mod cover_check;
pub(in crate::app) mod live_cover;
pub(crate) mod rescue_card;
