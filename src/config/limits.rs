//! How much one client, and all together, may have the shop do, and how long is kept what belongs to
//! nobody.

use serde::Deserialize;

use super::rules::number_between;

/// How much one client, and all together, may have the shop do; 0 is any number. A client is an IPv4
/// address, or of IPv6 a /56 network.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitSettings {
    /// Quotes that a client who isn't logged in may save in a minute; twice as many at once.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub saves_per_minute: u32,
    /// Quotes that all who aren't logged in may begin in an hour.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub total_saves_per_hour: u32,
    /// Prices, and forms worked out, that a client may ask for in a minute; twice as many at once.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub prices_per_minute: u32,
    /// Payment pages that one quote, and one mailbox, may have in an hour.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub payment_pages_per_hour: u32,
    /// Payment pages of one client before each has to wait.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub payment_pages_per_client: u32,
    /// Payments of one client that are declined or abandoned before a page has to wait.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub failed_payments_per_client: u32,
    /// Letters about quotes that one client may cause in an hour.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub quote_letters_per_client_per_hour: u32,
    /// Letters about quotes in an hour, whoever causes them.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub quote_letters_per_hour: u32,
    /// Questions whether there is cover that one client may ask in an hour.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub cover_checks_per_client_per_hour: u32,
    /// Questions whether there is cover in an hour, whoever asks.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub cover_checks_per_hour: u32,
    /// Vehicles, and addresses, that one client may look up in an hour.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub lookups_per_client_per_hour: u32,
    /// Vehicles, and addresses, that are looked up in an hour, whoever asks.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub lookups_per_hour: u32,
}

/// How long is kept what belongs to nobody.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retention {
    /// Days after the last save until a quote is deleted that is in no account, or is a draft. No link
    /// and no token opens one that is in no account after 31 days.
    #[serde(deserialize_with = "number_between::<32, 36_500, _, _>")]
    pub unclaimed_days: u32,
    /// The same days for quotes that no link and no partner leads to, while the disk gets short of space.
    #[serde(deserialize_with = "number_between::<1, 36_500, _, _>")]
    pub unclaimed_days_low_disk: u32,
    /// Days until a partner's request, and the addresses its customer was given, are deleted.
    #[serde(deserialize_with = "number_between::<32, 36_500, _, _>")]
    pub partner_days: u32,
}
