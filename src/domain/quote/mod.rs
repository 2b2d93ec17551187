//! The lifecycle of a quote, from its first save until it is bought, refused or lapsed.

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
use crate::domain::payment::{Consent, PaymentFrequency};
use crate::domain::quote::answers::Answers;
use crate::domain::quote::campaign::SourceTracking;
use crate::domain::quote::lookup::StoredLookup;
use crate::domain::time::dates;

/// The customer's agreement to buy one revision for one amount.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Acceptance {
    /// The accepted revision.
    pub revision: u32,
    /// The amount due now in pence, tax and charges included: the price, or the first payment of a plan.
    pub amount: Pence,
    /// When the customer agreed.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
    /// The payment schedule.
    pub frequency: PaymentFrequency,
    /// The consent to keep the card, if the customer chose automatic renewal or pays monthly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consent: Option<Consent>,
}

/// Where the customer came from. The quote and the policy keep this data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// The campaign parameters, from an address that the visitor opened or from a partner's request.
    pub tracking: SourceTracking,
    /// The affiliate's id, from an address that the visitor opened or from a partner's request.
    pub affiliate_uuid: Option<String>,
    /// The affiliate's id of this request.
    pub affiliate_request_uuid: Option<String>,
    /// Data that is returned to the affiliate, keyed by the affiliate's ids.
    pub affiliate_extra: Option<serde_json::Value>,
}

/// The data that an aggregator sent with its quote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ByPartner {
    /// The partner's identifier.
    pub partner: String,
    /// The aggregator's id of this risk.
    pub reference: String,
    /// The requested service.
    pub service: String,
    /// Other data that the aggregator wants stored.
    pub additional: Option<serde_json::Value>,
    /// The price in pence that the aggregator received and showed to its customer.
    pub shown_price: Option<Pence>,
}

/// One entry of a quote's history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Version {
    /// The revision's number, from 1.
    pub number: u32,
    /// When the revision was saved.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
    /// The price in pence, or `None` if the revision had no price.
    pub amount: Option<Pence>,
}

/// The number of whole days after the last save in which a link or a visitor's token opens the
/// quote. The visitor can save the quote again in this time. The price may expire sooner.
const LIFE_DAYS: i64 = 30;

/// The highest number of revisions in a quote's history.
pub const VERSIONS_LISTED: usize = 50;

/// The highest number of tokens of one quote, of its mailed links, and of its entries in
/// `shown_to`.
pub const TOKENS_KEPT: usize = 20;

/// A quote, and later the policy with the same uuid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quote {
    /// The quote's id in the API.
    pub uuid: Uuid,
    /// The number that the customer sees. No other quote gets this number.
    pub reference: String,
    /// The product's identifier.
    pub product: String,
    /// The stored status; see [`Quote::status_at`].
    pub status: QuoteStatus,
    /// Why underwriting refers or declines, for the customer.
    pub reason: Option<String>,
    /// The newest revision. Older revisions are in a table of their own, because they are read
    /// seldom.
    pub current: Revision,
    /// Hashes of the visitor's tokens, hexadecimal, oldest first.
    pub tokens: Vec<String>,
    /// Hashes of the secrets in mailed links that open the quote, hexadecimal, oldest first.
    pub resume: Vec<String>,
    /// Hashes of the tokens in mailed links to the documents of the policy, hexadecimal, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub document_links: Vec<String>,
    /// When the quote was first saved.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// When the quote was last changed.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub updated: DateTime<Utc>,
    /// The moment from which the price no longer holds, or `None` without a price.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub expires: Option<DateTime<Utc>>,
    /// The customer's acceptance. A save withdraws it.
    pub accepted: Option<Acceptance>,
    /// Whether each exclusion of the cover matters to the customer, as answered at acceptance. An
    /// exclusion without an answer is missing. A later save keeps the answers. A row without
    /// answers lacks this member, like rows that are older than the member.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub exclusion_answers: BTreeMap<String, bool>,
    /// Who has seen the newest revision: hashes of tokens, and users' ids. A save replaces the list
    /// by the readers of its response.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown_to: Vec<String>,
    /// The policyholder's name as typed, for lists.
    pub holder_name: String,
    /// The user who owns the quote or policy. The owner made the quote while logged in, claimed it,
    /// or has the mailbox to which it was sold.
    pub owner: Option<Uuid>,
    /// The mail address, as a user name, whose user may claim the quote. A claim sets it to `None`.
    /// A sale that sets the owner keeps the address; see [`Quote::is_owned_by_sale`].
    pub mailbox: Option<String>,
    /// Where the quote came from.
    pub origin: Origin,
    /// The aggregator that sent the quote.
    pub partner: Option<ByPartner>,
    /// The policy that the quote renews.
    pub renews: Option<Uuid>,
    /// The newest revisions, oldest first, at most [`VERSIONS_LISTED`].
    pub versions: Vec<Version>,
}

impl Quote {
    /// Returns the status at `now`. A quote whose price has expired is lapsed, even before the
    /// daily job stores this status.
    #[must_use]
    pub fn status_at(&self, now: DateTime<Utc>) -> QuoteStatus {
        status_at(self.status, self.expires, now)
    }

    /// Returns whether the quote renews a policy.
    #[must_use]
    pub const fn is_renewal(&self) -> bool {
        self.renews.is_some()
    }

    /// Returns whether the quote can be bought at `now`.
    #[must_use]
    pub fn is_buyable(&self, now: DateTime<Utc>) -> bool {
        self.status_at(now) == QuoteStatus::Quote
    }

    /// Returns the moment from which no link and no visitor's token opens a quote that is not
    /// bought. The owner's account still shows the quote.
    #[must_use]
    pub fn expires_at(&self) -> DateTime<Utc> {
        let saved = dates::london_date(self.updated);
        dates::start_of_day(dates::add_days(saved, LIFE_DAYS + 1))
    }

    /// Returns whether retention ever deletes the quote. Such a quote is no policy and no renewal,
    /// and has no owner or is a draft.
    #[must_use]
    pub fn is_deleted_in_time(&self) -> bool {
        let is_nobodys = self.owner.is_none() || self.status == QuoteStatus::Draft;
        is_nobodys && !self.status.is_policy() && !self.is_renewal()
    }

    /// Returns whether retention may delete the quote sooner than other quotes. Such a quote has no
    /// owner, no mailed link and no partner, and is no policy and no renewal.
    #[must_use]
    pub fn is_anonymous(&self) -> bool {
        let is_unlinked = self.resume.is_empty() && self.partner.is_none();
        is_unlinked && self.owner.is_none() && self.is_deleted_in_time()
    }

    /// Returns the UTC day of the last save, as the index stores it.
    #[must_use]
    pub fn saved_on(&self) -> NaiveDate {
        self.updated.date_naive()
    }

    /// Adds the newest revision to the history, and removes the oldest above [`VERSIONS_LISTED`].
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

    /// Records that `reader` was shown the newest revision.
    pub fn note_shown(&mut self, reader: &str) {
        if !self.shown_to.iter().any(|candidate| candidate == reader) {
            keep_newest(&mut self.shown_to, reader.to_owned());
        }
    }

    /// Returns whether one of `readers` was shown the newest revision.
    #[must_use]
    pub fn is_shown_to(&self, readers: &[String]) -> bool {
        readers.iter().any(|reader| self.shown_to.contains(reader))
    }

    /// Adds a token of the visitor. Above [`TOKENS_KEPT`], the oldest token is removed.
    pub fn give_token(&mut self, hash: String) {
        keep_newest(&mut self.tokens, hash);
    }

    /// Adds a mailed link that opens the quote. Above [`TOKENS_KEPT`], the oldest link is removed.
    pub fn give_resume(&mut self, hash: String) {
        keep_newest(&mut self.resume, hash);
    }

    /// Sets the owner after a claim. All earlier tokens and mailed links stop working.
    pub fn take_over(&mut self, user: Uuid) {
        self.owner = Some(user);
        self.mailbox = None;
        self.tokens.clear();
        self.resume.clear();
    }

    /// Sets the owner of a sold policy: the user whose mail address the quote has. The buyer's
    /// tokens remain valid.
    pub fn sell_to(&mut self, user: Uuid) {
        self.owner = Some(user);
    }

    /// Returns whether the owner was set by the sale, and no claim followed.
    #[must_use]
    pub const fn is_owned_by_sale(&self) -> bool {
        self.owner.is_some() && self.mailbox.is_some()
    }

    /// Revokes all mailed links, and all tokens except the token with the hash `own`. A change of
    /// the mail address needs this, because a token may come from a link to the old address.
    pub fn revoke_links(&mut self, own: Option<&str>) {
        self.resume.clear();
        self.tokens.retain(|hash| Some(hash.as_str()) == own);
    }
}

fn keep_newest(hashes: &mut Vec<String>, hash: String) {
    hashes.push(hash);
    if hashes.len() > TOKENS_KEPT {
        hashes.remove(0);
    }
}

/// Returns when the price of a quote saved at `now` expires. The price holds for `valid_days` whole
/// days, and at most until the end of the start date in London. It always holds to the end of a
/// London day.
#[must_use]
pub fn expires(now: DateTime<Utc>, valid_days: i64, inception: NaiveDate) -> DateTime<Utc> {
    let last_day = dates::add_days(dates::london_date(now), valid_days).min(inception);
    dates::start_of_day(dates::add_days(last_day, 1))
}

/// One saved state of a quote. A revision is never changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    pub number: u32,
    /// When the revision was saved.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
    /// SHA-256, in hexadecimal, of the product file that rated the revision, with its documents file.
    pub product_hash: String,
    /// Normalised answers. They are large, so copies of the revision share them by [`Arc`].
    pub answers: Arc<Answers>,
    /// The price, or `None` for a draft or if underwriting refers or declines.
    pub price: Option<Price>,
    /// The first day of cover, if known.
    pub inception: Option<NaiveDate>,
    /// The last day of cover, if known.
    pub expiry: Option<NaiveDate>,
    /// The page of the website that saved the revision, such as `/quote/edit/{uuid}`. `None` if the
    /// request named no page. Also `None` for a quote's first revision and for a change of a policy.
    pub path: Option<String>,
    /// The vehicle look-ups, and the customer's answer to each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lookups: Vec<StoredLookup>,
}

impl Revision {
    /// Returns the look-ups of `registrations`, without those of other vehicles.
    #[must_use]
    pub fn lookups_for(&self, registrations: &[String]) -> Vec<StoredLookup> {
        let is_for = |lookup: &&StoredLookup| {
            let mark = &lookup.looked_up.vehicle.registration;
            registrations.contains(mark)
        };
        self.lookups.iter().filter(is_for).cloned().collect()
    }

    /// Returns the empty revision of a quote before its first save.
    #[must_use]
    pub fn none(time: DateTime<Utc>) -> Self {
        Self {
            number: 0,
            at: time,
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
        // 3 June ends at 23:00 UTC, because London has summer time.
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
