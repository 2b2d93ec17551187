//! A quote's life, from its first save to the day it is bought, refused or out of time.

pub(crate) mod answer_table;
pub mod answers;
pub mod campaign;
pub mod early_underwriting;
pub mod exclusions;
pub mod formatted_answers;
pub mod list;
pub mod lookup;
pub mod policyholder;
pub mod registration_dates;
pub mod registrations;
pub mod risk_equality;
mod status;
pub mod summary;

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use status::status_at;
pub use status::{QuoteEvent, QuoteStatus, Saved, StatusId, apply};

use crate::domain::money::Pence;
use crate::domain::money::price::Price;
use crate::domain::quote::answers::Answers;
use crate::domain::quote::campaign::SourceTracking;
use crate::domain::quote::lookup::StoredLookup;
use crate::domain::time::dates;

/// How the premium is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PaymentFrequency {
    /// All at once.
    Annual,
}

/// The customer agreed to buy this revision for this amount.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Acceptance {
    /// Revision accepted.
    pub revision: u32,
    /// What it costs, pence, tax and charges included.
    pub amount: Pence,
    /// When.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
    /// How it is paid.
    pub frequency: PaymentFrequency,
    /// Whether the customer chose to have it renewed by itself.
    pub auto_renew: bool,
}

/// Where the customer came from, kept from the first page to the policy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// Campaign words of the first page's address.
    pub tracking: SourceTracking,
    /// The affiliate's id for itself.
    pub affiliate_uuid: Option<String>,
    /// The affiliate's id of this request.
    pub affiliate_request_uuid: Option<String>,
    /// What the affiliate wants back, keyed by its own ids.
    pub affiliate_extra: Option<serde_json::Value>,
}

/// What an aggregator said of the quote it sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ByPartner {
    /// Partner's identifier.
    pub partner: String,
    /// Its own id of this risk.
    pub reference: String,
    /// The service it asked for.
    pub service: String,
    /// What else it wanted kept.
    pub additional: Option<serde_json::Value>,
    /// The price the aggregator was answered, pence, and showed to its customer.
    pub shown: Option<Pence>,
}

/// One line of a quote's history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Version {
    /// Revision's number, from 1.
    pub number: u32,
    /// When it was saved.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
    /// What it cost, pence; none while it had no price.
    pub amount: Option<Pence>,
}

/// How many whole days after its last save a quote can be opened by a link or a visitor's token, and
/// saved again. Its price may run out sooner.
const LIFE_DAYS: i64 = 30;

/// How many past revisions a read lists.
pub const VERSIONS_LISTED: usize = 50;

/// How many tokens of one quote, and how many mailed links, are valid at once.
pub const TOKENS_KEPT: usize = 20;

/// A quote, and later the policy that was made of it under the same uuid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quote {
    /// Its id on the wire.
    pub uuid: Uuid,
    /// Number the customer sees, never used again.
    pub reference: String,
    /// Product's identifier.
    pub product: String,
    /// Status as stored; see [`Quote::status_at`].
    pub status: QuoteStatus,
    /// Why underwriting refers or declines, for the customer.
    pub reason: Option<String>,
    /// The newest revision. Older ones are in a table of their own, because they are read seldom.
    pub current: Revision,
    /// Hashes of the tokens its visitor was given, hexadecimal, oldest first.
    pub tokens: Vec<String>,
    /// Hashes of the secrets of mailed links that resume it, hexadecimal, oldest first.
    pub resume: Vec<String>,
    /// First saved.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// Last changed.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub updated: DateTime<Utc>,
    /// Moment from which its price no longer holds; none without a price.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub expires: Option<DateTime<Utc>>,
    /// What the customer agreed to pay for; withdrawn by a save.
    pub accepted: Option<Acceptance>,
    /// Whether each gap of the cover matters to the customer, as they said when they agreed to buy; a
    /// gap they didn't answer is not in it. A later save keeps it. A row without any answer, as those of
    /// before are, doesn't have the member.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub gap_answers: BTreeMap<String, bool>,
    /// Who was shown the newest revision: hashes of tokens, and users' ids. A save begins the list anew.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown_to: Vec<String>,
    /// Policyholder's name as typed, for lists.
    pub holder_name: String,
    /// The user whose quote or policy it is: who was logged in when it was made, who has taken it
    /// over, or whose mailbox it was sold to.
    pub owner: Option<Uuid>,
    /// The mail address, as a user name, whose owner may take it over; none once somebody has. A
    /// policy that its sale gave to a user keeps the address, see [`Quote::is_owned_by_sale`].
    pub mailbox: Option<String>,
    /// Where it came from.
    pub origin: Origin,
    /// The aggregator it came through.
    pub partner: Option<ByPartner>,
    /// The policy it renews.
    pub renews: Option<Uuid>,
    /// Its newest revisions, oldest first, at most [`VERSIONS_LISTED`].
    pub versions: Vec<Version>,
}

impl Quote {
    /// Status at `now`: a priced quote out of time is lapsed, also before the daily round has
    /// stored it.
    #[must_use]
    pub fn status_at(&self, now: DateTime<Utc>) -> QuoteStatus {
        status_at(self.status, self.expires, now)
    }

    /// Whether it renews a policy.
    #[must_use]
    pub const fn is_renewal(&self) -> bool {
        self.renews.is_some()
    }

    /// Whether it can be bought at `now`.
    #[must_use]
    pub fn is_buyable(&self, now: DateTime<Utc>) -> bool {
        self.status_at(now) == QuoteStatus::Quote
    }

    /// Moment from which no link and no visitor's token opens it, while it isn't bought. In its owner's
    /// account it stays.
    #[must_use]
    pub fn expires_at(&self) -> DateTime<Utc> {
        let saved = dates::london_date(self.updated);
        dates::start_of_day(dates::add_days(saved, LIFE_DAYS + 1))
    }

    /// Whether it is deleted some time after its last save: it was never bought, and is in no account or
    /// only a draft. A renewal's quote stays with its policy.
    #[must_use]
    pub fn is_deleted_in_time(&self) -> bool {
        let is_nobodys = self.owner.is_none() || self.status == QuoteStatus::Draft;
        is_nobodys && !self.status.is_policy() && !self.is_renewal()
    }

    /// Whether it may be deleted sooner than others: nobody has an account, a mailed link or a partner
    /// through which they would look for it.
    #[must_use]
    pub fn is_anonymous(&self) -> bool {
        let is_unlinked = self.resume.is_empty() && self.partner.is_none();
        is_unlinked && self.owner.is_none() && self.is_deleted_in_time()
    }

    /// The day of its last save, as the index has it: of UTC.
    #[must_use]
    pub fn saved_on(&self) -> NaiveDate {
        self.updated.date_naive()
    }

    /// Notes the newest revision in the history, forgetting the oldest.
    pub fn note_version(&mut self) {
        self.versions.push(Version {
            number: self.current.number,
            at: self.current.at,
            amount: self.current.price.as_ref().map(|price| price.total),
        });
        if self.versions.len() > VERSIONS_LISTED {
            self.versions.remove(0);
        }
    }

    /// Notes that `reader` was shown the newest revision.
    pub fn note_shown(&mut self, reader: &str) {
        if !self.shown_to.iter().any(|candidate| candidate == reader) {
            keep_newest(&mut self.shown_to, reader.to_owned());
        }
    }

    /// Whether one of `readers` was shown the newest revision.
    #[must_use]
    pub fn is_shown_to(&self, readers: &[String]) -> bool {
        readers.iter().any(|reader| self.shown_to.contains(reader))
    }

    /// Gives its visitor another token; the oldest of too many no longer counts.
    pub fn give_token(&mut self, hash: String) {
        keep_newest(&mut self.tokens, hash);
    }

    /// Mails another link that resumes it; the oldest of too many no longer counts.
    pub fn give_resume(&mut self, hash: String) {
        keep_newest(&mut self.resume, hash);
    }

    /// Gives it to a user. All tokens and mailed links from before stop working.
    pub fn take_over(&mut self, user: Uuid) {
        self.owner = Some(user);
        self.mailbox = None;
        self.tokens.clear();
        self.resume.clear();
    }

    /// Gives the policy that it becomes to the user of the mailbox it is sold to. The tokens of
    /// whoever bought it go on working.
    pub fn sell_to(&mut self, user: Uuid) {
        self.owner = Some(user);
    }

    /// Whether its owner got it by its sale, and has not taken it over since.
    #[must_use]
    pub const fn is_owned_by_sale(&self) -> bool {
        self.owner.is_some() && self.mailbox.is_some()
    }

    /// Called when the mail address changes: links mailed to the old address, and all tokens but
    /// `kept`, stop working. A token may come from such a link.
    pub fn forget_mailbox(&mut self, mailbox: Option<&str>) {
        self.resume.clear();
        self.tokens.retain(|token| Some(token.as_str()) == mailbox);
    }
}

fn keep_newest(hashes: &mut Vec<String>, hash: String) {
    hashes.push(hash);
    if hashes.len() > TOKENS_KEPT {
        hashes.remove(0);
    }
}

/// When the price of a quote saved at `now` stops holding: after `valid_days` whole days, and never
/// after the end of its start date in London. It always holds to the end of a day.
#[must_use]
pub fn expires(now: DateTime<Utc>, valid_days: i64, inception: NaiveDate) -> DateTime<Utc> {
    let last_day = dates::add_days(dates::london_date(now), valid_days).min(inception);
    dates::start_of_day(dates::add_days(last_day, 1))
}

/// One saved state of a quote; never changed afterwards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    /// From 1.
    pub number: u32,
    /// When it was saved.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
    /// Product file it was rated by, SHA-256 in hexadecimal.
    pub product_hash: String,
    /// Normalised answers. They are large, and are shared by what is made of them.
    pub answers: Arc<Answers>,
    /// Its price; none for a draft or where underwriting refers or declines.
    pub price: Option<Price>,
    /// First day of cover, where known.
    pub inception: Option<NaiveDate>,
    /// Last day of cover, where known.
    pub expiry: Option<NaiveDate>,
    /// The page of the website it was saved from, such as `/quote/edit/{uuid}`; none where it wasn't
    /// said, and for a quote's first revision.
    pub path: Option<String>,
    /// The vehicles that were looked up, and what the customer said to each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lookups: Vec<StoredLookup>,
}

impl Revision {
    /// The look-ups about vehicles that are still covered, by their registrations.
    #[must_use]
    pub fn lookups_for(&self, registrations: &[String]) -> Vec<StoredLookup> {
        let is_for = |lookup: &&StoredLookup| {
            let mark = &lookup.looked_up.vehicle.registration;
            registrations.contains(mark)
        };
        self.lookups.iter().filter(is_for).cloned().collect()
    }

    /// What a quote has before its first save.
    #[must_use]
    pub fn none(at: DateTime<Utc>) -> Self {
        Self {
            number: 0,
            at,
            product_hash: String::new(),
            answers: Arc::default(),
            price: None,
            inception: None,
            expiry: None,
            path: None,
            lookups: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_holds_thirty_whole_days_but_not_past_its_start() {
        let now = "2026-06-01T10:00:00Z".parse().unwrap();
        let soon = NaiveDate::from_ymd_opt(2026, 6, 3).unwrap();
        let far = NaiveDate::from_ymd_opt(2026, 7, 30).unwrap();
        // The 3rd ends at 23:00 UTC while London keeps summer time.
        assert_eq!(
            expires(now, 30, soon),
            "2026-06-03T23:00:00Z".parse::<DateTime<Utc>>().unwrap()
        );
        assert_eq!(
            expires(now, 30, far),
            "2026-07-01T23:00:00Z".parse::<DateTime<Utc>>().unwrap()
        );
    }
}
