//! How much one client, and all together, may have the shop do.

use serde::Deserialize;

use super::rules::within;

/// How much one client, and all together, may have the shop do; 0 is any number. A client is an IPv4
/// address, or of IPv6 a /56 network.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Quotes that a client who isn't logged in may save in a minute; twice as many at once.
    #[serde(deserialize_with = "within::<0, 1_000_000, _, _>")]
    pub saves: u32,
    /// Letters about quotes that one client may cause in an hour.
    #[serde(deserialize_with = "within::<0, 1_000_000, _, _>")]
    pub quote_letters_per_client: u32,
    /// Letters about quotes in an hour, whoever causes them.
    #[serde(deserialize_with = "within::<0, 1_000_000, _, _>")]
    pub quote_letters: u32,
}
