//! Limits of requests, for one client and for all clients together. Retention of quotes and of partners'
//! requests.

use serde::Deserialize;

use super::rules::number_between;

/// Limits of requests, for one client and for all clients together; 0 is unlimited. A client is an IPv4
/// address or an IPv6 /56 network.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitSettings {
    /// Quotes that a logged-out client may save per minute; a burst may be twice as large.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub saves_per_minute: u32,
    /// Quotes that all logged-out clients together may begin per hour. Each save after a quote's 20th save
    /// counts too.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub total_saves_per_hour: u32,
    /// Prices and form evaluations for one client per minute; a burst may be twice as large.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub prices_per_minute: u32,
    /// Payment pages per hour for one quote or change, and for one account.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub payment_pages_per_hour: u32,
    /// Payment pages of one client before each further page has to wait.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub payment_pages_per_client: u32,
    /// Declined, expired or abandoned payments of one client before a page has to wait.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub failed_payments_per_client: u32,
    /// Letters about quotes that one client may cause per hour.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub quote_letters_per_client_per_hour: u32,
    /// Letters about quotes per hour, for all clients together.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub quote_letters_per_hour: u32,
    /// Cover checks that one client may make per hour.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub cover_checks_per_client_per_hour: u32,
    /// Cover checks per hour, for all clients together.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub cover_checks_per_hour: u32,
    /// Vehicles, and addresses, that one client may look up per hour.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub lookups_per_client_per_hour: u32,
    /// Vehicles, and addresses, that all clients together may look up per hour.
    #[serde(deserialize_with = "number_between::<0, 1_000_000, _, _>")]
    pub lookups_per_hour: u32,
}

/// Retention of drafts, of quotes without an account, and of partners' requests.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retention {
    /// Days from the last save until a quote is deleted, if the quote has no account or is a draft. From the
    /// 31st day after the day of the last save, no link and no visitor's token opens the quote.
    #[serde(deserialize_with = "number_between::<32, 36_500, _, _>")]
    pub unclaimed_days: u32,
    /// Days from the last save until a quote is deleted while disk space is low. Applies to quotes that
    /// have no account, no mailed link and no partner.
    #[serde(deserialize_with = "number_between::<1, 36_500, _, _>")]
    pub unclaimed_days_low_disk: u32,
    /// Days after a quote's creation until the partner's request and the click-through addresses are deleted.
    #[serde(deserialize_with = "number_between::<32, 36_500, _, _>")]
    pub partner_days: u32,
}
