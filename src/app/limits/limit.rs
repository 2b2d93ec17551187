//! What is limited, and by which rule.

use std::net::IpAddr;

use chrono::TimeDelta;

use super::rate::Rate;
use crate::config::{Config, client_network};

/// The `key` of a limit for all together.
pub(in crate::app) const ALL: &str = "";

/// Questions about one registration or policy number in an hour.
const COVER_CHECKS_OF_ONE: u32 = 10;

/// Where a call comes from.
#[derive(Clone, Debug)]
pub struct ClientAddress {
    /// The address, past the proxies that are trusted.
    pub address: IpAddr,
    /// The device cookie that the browser was given at its last log-in; see [`Limit::LoginOn`].
    pub device: Option<String>,
}

impl ClientAddress {
    /// The network that limits count.
    pub(in crate::app) fn network(&self) -> String {
        client_network(self.address).to_string()
    }
}

/// What is limited. Each is counted by itself, and for each key by itself.
///
/// Several shops count together what costs money or guards against guessing (`App::count_limits`). Of what
/// only keeps the load fair each shop has its share, which takes no write (`App::count_here`).
///
/// A user's log-ins have two counts: those from browsers that logged in before are counted by
/// device, all others together. So a stranger's guesses delay strangers, and not the owner on a
/// known browser (OWASP's device cookies).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Limit {
    /// Saves of quotes by a client who isn't logged in.
    Saves,
    /// Quotes begun by all who aren't logged in.
    TotalSaves,
    /// Prices and forms for answers that aren't saved, by client.
    Prices,
    /// Questions whether there is cover, by client.
    CoverChecks,
    /// Questions about one registration or policy number.
    CoverChecksOfOne,
    /// Questions whether there is cover, in all.
    TotalCoverChecks,
    /// Requests of a partner.
    PartnerRequests,
    /// Letters about quotes, by the client who causes them.
    QuoteLetters,
    /// Letters about quotes, in all.
    TotalQuoteLetters,
    /// Look-ups of vehicles, by client.
    VehicleLookups,
    /// Look-ups of vehicles, in all.
    TotalVehicleLookups,
    /// Look-ups of addresses, by client.
    AddressLookups,
    /// Look-ups of addresses, in all.
    TotalAddressLookups,
    /// Payment pages of a mailbox.
    MailboxPages,
    /// Payment pages of a client.
    ClientPages,
    /// Payments of a client that were declined or abandoned.
    FailedPayments,
    /// Log-ins from a network address, under any user name.
    LoginFrom,
    /// Log-ins as a user from browsers that aren't known.
    LoginAs,
    /// Log-ins from a browser that logged in before.
    LoginOn,
    /// The old password, where somebody changes it.
    OldPassword,
    /// Requests for a mail, by client.
    MailFrom,
    /// New mail addresses of a user.
    AddressChange,
    /// Codes for a first password, by the policy in whose letter they are.
    PasswordCode,
}

/// How a limit counts.
pub(super) enum LimitRule {
    /// A burst, then one at a time.
    Rate(Rate),
    /// So many are free, then each waits twice as long as the one before.
    Throttle(u32),
}

/// The rule of a limit: of the settings, or a fixed number. None where any number is allowed.
pub(super) fn rule(config: &Config, limit: Limit, key: &str) -> Option<LimitRule> {
    let set = &config.limits;
    let (number, period, burst) = match limit {
        Limit::Saves => (
            set.saves_per_minute,
            TimeDelta::minutes(1),
            set.saves_per_minute.saturating_mul(2),
        ),
        Limit::Prices => (
            set.prices_per_minute,
            TimeDelta::minutes(1),
            set.prices_per_minute.saturating_mul(2),
        ),
        Limit::PartnerRequests => {
            let partners = &config.partners;
            let partner = partners.iter().find(|partner| partner.identifier == key);
            let number = partner.map_or(0, |partner| partner.requests_per_minute);
            (number, TimeDelta::minutes(1), number)
        }
        Limit::TotalSaves => hourly(set.total_saves_per_hour),
        Limit::CoverChecks => hourly(set.cover_checks_per_client_per_hour),
        Limit::CoverChecksOfOne => hourly(COVER_CHECKS_OF_ONE),
        Limit::TotalCoverChecks => hourly(set.cover_checks_per_hour),
        Limit::QuoteLetters => hourly(set.quote_letters_per_client_per_hour),
        Limit::TotalQuoteLetters => hourly(set.quote_letters_per_hour),
        Limit::VehicleLookups | Limit::AddressLookups => hourly(set.lookups_per_client_per_hour),
        Limit::TotalVehicleLookups | Limit::TotalAddressLookups => hourly(set.lookups_per_hour),
        Limit::MailboxPages => hourly(set.payment_pages_per_hour),
        Limit::ClientPages => return throttle(set.payment_pages_per_client),
        Limit::FailedPayments => return throttle(set.failed_payments_per_client),
        Limit::LoginFrom => return throttle(20),
        Limit::MailFrom => return throttle(10),
        Limit::LoginAs
        | Limit::LoginOn
        | Limit::OldPassword
        | Limit::AddressChange
        | Limit::PasswordCode => return throttle(5),
    };
    Rate::new(number, period, burst).map(LimitRule::Rate)
}

const fn hourly(number: u32) -> (u32, TimeDelta, u32) {
    (number, TimeDelta::hours(1), number)
}

fn throttle(free: u32) -> Option<LimitRule> {
    (free > 0).then_some(LimitRule::Throttle(free))
}
