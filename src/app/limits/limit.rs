//! The limits, and the rule of each.

use std::net::IpAddr;

use chrono::TimeDelta;

use super::rate::Rate;
use crate::config::{LimitSettings, client_network};

/// The key of a limit that counts all clients together.
pub(in crate::app) const ALL: &str = "";

/// The maximum number of cover checks of one registration or policy number within an hour.
const COVER_CHECKS_OF_ONE: u32 = 10;

/// The client of a request.
#[derive(Clone, Debug)]
pub struct ClientAddress {
    /// The IP address, after trusted proxies are skipped.
    pub address: IpAddr,
    /// The device cookie that the browser sent; see [`Limit::LoginOn`].
    pub device: Option<String>,
}

impl ClientAddress {
    /// Returns the network of the address, by which limits count clients.
    pub(in crate::app) fn network(&self) -> String {
        client_network(self.address).to_string()
    }
}

/// A limit. Each limit counts each of its keys separately.
///
/// All nodes count log-ins, passwords, mails and look-ups together (`count_limits`). They also count
/// payment pages and failed payments together, in rows (`count_rows`). Each node counts its own share of
/// saves, prices, cover checks and partners' requests (`count_here`), which needs no write.
///
/// A user's log-ins have two counts. Log-ins from browsers that logged in before are counted by
/// device, all others together. A stranger's guesses then do not delay the owner on a known browser
/// (OWASP's device cookies).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Limit {
    /// Saves of quotes by a client without a log-in.
    Saves,
    /// Quotes started by all clients without a log-in.
    TotalSaves,
    /// Prices and forms for unsaved answers, by client.
    Prices,
    /// Cover checks, by client.
    CoverChecks,
    /// Cover checks of one registration or policy number.
    CoverChecksOfOne,
    TotalCoverChecks,
    PartnerRequests {
        per_minute: u32,
    },
    /// Letters about quotes, by the client that causes them.
    QuoteLetters,
    /// Letters about quotes, in total.
    TotalQuoteLetters,
    /// Look-ups of vehicles, by client.
    VehicleLookups,
    /// Look-ups of vehicles, in total.
    TotalVehicleLookups,
    /// Look-ups of addresses, by client.
    AddressLookups,
    /// Look-ups of addresses, in total.
    TotalAddressLookups,
    /// Payment pages of a quote or of a change.
    TargetPages,
    /// Payment pages of an account.
    AccountPages,
    /// Payment pages of a client.
    ClientPages,
    /// Payments of a client that were declined or abandoned.
    FailedPayments,
    /// Log-ins from a network, under any user name.
    LoginFrom,
    /// Log-ins as a user from unknown browsers.
    LoginAs,
    /// Log-ins from a browser with a device cookie of the user.
    LoginOn,
    /// Attempts at the old password during a password change.
    OldPassword,
    /// Requests for a mail, by client.
    MailFrom,
    /// New mail addresses of a user.
    AddressChange,
    /// Codes for a first password, by the policy of the letter with the code.
    PasswordCode,
}

pub(super) enum LimitRule {
    /// A burst, then one after each interval.
    Rate(Rate),
    /// At most this number in any hour.
    Window(u32),
    /// This number of tries without a wait. Then each wait is twice the previous wait, up to 15
    /// minutes.
    Throttle(u32),
}

/// Returns the rule of a limit, from the settings or with a fixed number. `None` means no limit.
pub(super) fn rule(set: &LimitSettings, limit: Limit) -> Option<LimitRule> {
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
        Limit::PartnerRequests { per_minute } => (per_minute, TimeDelta::minutes(1), per_minute),
        Limit::TotalSaves => hourly(set.total_saves_per_hour),
        Limit::CoverChecks => hourly(set.cover_checks_per_client_per_hour),
        Limit::CoverChecksOfOne => hourly(COVER_CHECKS_OF_ONE),
        Limit::TotalCoverChecks => hourly(set.cover_checks_per_hour),
        Limit::QuoteLetters => hourly(set.quote_letters_per_client_per_hour),
        Limit::TotalQuoteLetters => hourly(set.quote_letters_per_hour),
        Limit::VehicleLookups | Limit::AddressLookups => hourly(set.lookups_per_client_per_hour),
        Limit::TotalVehicleLookups | Limit::TotalAddressLookups => hourly(set.lookups_per_hour),
        Limit::TargetPages | Limit::AccountPages => {
            let number = set.payment_pages_per_hour;
            return (number > 0).then_some(LimitRule::Window(number));
        }
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
