//! A quote's life, from its first save to the day it is bought, refused or out of time.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::answers::Answers;
use super::campaign::SourceTracking;
use super::dates;
use super::money::Pence;
use super::policy::Policy;
use super::rating::Price;

/// Where a quote or policy stands, by the ids of part 3 of the specification; the names of
/// 8, 9, 15 and 16, which it doesn't give, are ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum QuoteStatus {
    /// Complete and priced; buyable until it expires.
    Quote,
    /// Saved before it was complete.
    Draft,
    /// Bought.
    Live,
    /// Waits for a person's decision.
    Refer,
    /// Ended early by its customer.
    Cancelled,
    /// An adjustment's own draft.
    AdjustmentDraft,
    /// Refused, or undone before it began.
    NotTakenUp,
    /// Ran to its end.
    Expired,
    /// Followed by its renewal.
    Renewed,
    /// From an aggregator, with answers missing.
    Partial,
    /// Refused by underwriting.
    Declined,
    /// Ran out of time unbought.
    Lapsed,
}

impl QuoteStatus {
    /// Every status, by id.
    pub const ALL: [Self; 12] = [
        Self::Quote,
        Self::Draft,
        Self::Live,
        Self::Refer,
        Self::Cancelled,
        Self::AdjustmentDraft,
        Self::NotTakenUp,
        Self::Expired,
        Self::Renewed,
        Self::Partial,
        Self::Declined,
        Self::Lapsed,
    ];

    /// Id on the wire.
    #[must_use]
    pub const fn id(self) -> u32 {
        match self {
            Self::Quote => 1,
            Self::Draft => 2,
            Self::Live => 5,
            Self::Refer => 7,
            Self::Cancelled => 8,
            Self::AdjustmentDraft => 9,
            Self::NotTakenUp => 14,
            Self::Expired => 15,
            Self::Renewed => 16,
            Self::Partial => 30,
            Self::Declined => 31,
            Self::Lapsed => 32,
        }
    }

    /// Name a customer reads.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Quote => "Quote",
            Self::Draft => "Draft",
            Self::Live => "Live",
            Self::Refer => "Referred",
            Self::Cancelled => "Cancelled",
            Self::AdjustmentDraft => "Change in progress",
            Self::NotTakenUp => "Not taken up",
            Self::Expired => "Expired",
            Self::Renewed => "Renewed",
            Self::Partial => "Partial quote",
            Self::Declined => "Declined",
            Self::Lapsed => "Lapsed",
        }
    }

    /// Whether it is a policy now, or was one.
    #[must_use]
    pub const fn is_policy(self) -> bool {
        matches!(
            self,
            Self::Live | Self::Cancelled | Self::Expired | Self::Renewed
        )
    }
}

/// Something that happens to a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteEvent {
    /// New answers were saved and judged.
    Saved(Saved),
    /// A payment for the accepted revision succeeded.
    Paid,
    /// Its time ran out.
    RanOut,
    /// The customer doesn't want it.
    NotTakenUp,
}

/// What a save made of the quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    /// Incomplete, kept for later.
    Draft,
    /// From an aggregator, with answers missing.
    Partial,
    /// Complete and priced.
    Priced,
    /// A person must decide.
    Referred,
    /// Underwriting said no.
    Declined,
}

/// What came of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transition<S> {
    /// The new state.
    Applied(S),
    /// It had happened already; nothing changes.
    AlreadyApplied,
    /// It can't happen now; the reason is fit for a customer.
    Refused(&'static str),
}

/// What becomes of a quote in `status` when `event` happens.
#[must_use]
pub const fn apply(status: QuoteStatus, event: QuoteEvent) -> Transition<QuoteStatus> {
    use QuoteStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    match (status, event) {
        (S::NotTakenUp, QuoteEvent::NotTakenUp)
        | (S::Lapsed, QuoteEvent::RanOut)
        | (S::Live | S::Cancelled | S::Expired | S::Renewed, QuoteEvent::Paid) => AlreadyApplied,

        (S::AdjustmentDraft, _) => Refused("This is a change to a policy, not a quote."),
        (S::Live | S::Cancelled | S::Expired | S::Renewed, _) => {
            Refused("This quote has been bought and can no longer be changed here.")
        }
        (S::NotTakenUp, _) => Refused("This quote was not taken up. Please start a new one."),

        (_, QuoteEvent::Saved(Saved::Draft)) => Applied(S::Draft),
        (_, QuoteEvent::Saved(Saved::Partial)) => Applied(S::Partial),
        (_, QuoteEvent::Saved(Saved::Priced)) => Applied(S::Quote),
        (_, QuoteEvent::Saved(Saved::Referred)) => Applied(S::Refer),
        (_, QuoteEvent::Saved(Saved::Declined)) => Applied(S::Declined),

        // A payment begun for an accepted revision is honoured whatever was saved since.
        (_, QuoteEvent::Paid) => Applied(S::Live),

        (S::Declined | S::Refer, QuoteEvent::RanOut) => Refused("There is no price to run out."),
        (_, QuoteEvent::RanOut) => Applied(S::Lapsed),
        (_, QuoteEvent::NotTakenUp) => Applied(S::NotTakenUp),
    }
}

/// How the premium is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PaymentFrequency {
    /// All at once.
    Annual,
}

/// The customer's word that this revision, for this much, is what they want.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Acceptance {
    /// Revision accepted.
    pub revision: u32,
    /// What it costs, pence, tax and charges included.
    pub amount: Pence,
    /// When.
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
    /// The price it was answered, pence, and showed to its customer.
    pub shown: Option<Pence>,
}

/// One line of a quote's history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Version {
    /// Revision's number, from 1.
    pub number: u32,
    /// When it was saved.
    pub at: DateTime<Utc>,
    /// What it cost, pence; none while it had no price.
    pub amount: Option<Pence>,
}

/// How many past revisions a read lists.
pub const VERSIONS_LISTED: usize = 50;

/// How many tokens of one quote, and how many mailed links, count at once.
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
    /// The newest revision. Older ones are kept beside, and are read seldom: a quote is one
    /// row to write and one to read.
    pub current: Revision,
    /// Hashes of the tokens its visitor was given, hexadecimal, oldest first.
    pub tokens: Vec<String>,
    /// Hashes of the secrets of mailed links that resume it, hexadecimal, oldest first.
    pub resume: Vec<String>,
    /// First saved.
    pub created: DateTime<Utc>,
    /// Last changed.
    pub updated: DateTime<Utc>,
    /// Moment from which its price no longer holds; none without a price.
    pub expires: Option<DateTime<Utc>>,
    /// What the customer agreed to pay for; withdrawn by a save.
    pub accepted: Option<Acceptance>,
    /// Policyholder's name as typed, for lists.
    pub holder_name: String,
    /// The user whose quote it is, once its mailbox has claimed it.
    pub owner: Option<Uuid>,
    /// The mail address, as a user name, whose mailbox may claim it; none once it has.
    pub mailbox: Option<String>,
    /// Where it came from.
    pub origin: Origin,
    /// The aggregator it came through.
    pub partner: Option<ByPartner>,
    /// Whether it renews a policy.
    pub renewal: bool,
    /// Its newest revisions, oldest first, at most [`VERSIONS_LISTED`].
    pub versions: Vec<Version>,
}

impl Quote {
    /// Status at `now`: a priced quote out of time is lapsed, whether or not a job has been
    /// round to say so.
    #[must_use]
    pub fn status_at(&self, now: DateTime<Utc>) -> QuoteStatus {
        status_at(self.status, self.expires, now)
    }

    /// Whether it can be bought at `now`.
    #[must_use]
    pub fn is_buyable(&self, now: DateTime<Utc>) -> bool {
        self.status_at(now) == QuoteStatus::Quote
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

    /// Gives its visitor another token; the oldest of too many no longer counts.
    pub fn give_token(&mut self, hash: String) {
        keep_newest(&mut self.tokens, hash);
    }

    /// Mails another link that resumes it; the oldest of too many no longer counts.
    pub fn give_resume(&mut self, hash: String) {
        keep_newest(&mut self.resume, hash);
    }

    /// Gives it to a user: whoever held a token or a mailed link of it holds nothing now.
    pub fn claim(&mut self, user: Uuid) {
        self.owner = Some(user);
        self.tokens.clear();
        self.resume.clear();
    }

    /// It has another mail address: the links in the first one's mailbox, and every token but
    /// `kept`, which may come from them, are worth nothing now.
    pub fn forget_mailbox(&mut self, kept: Option<&str>) {
        self.resume.clear();
        self.tokens.retain(|token| Some(token.as_str()) == kept);
    }

    /// What a list says of it; `policy` is what it became.
    #[must_use]
    pub fn list_entry(&self, policy: Option<&Policy>) -> ListEntry {
        let price = self.current.price.as_ref();
        let accepted = self.accepted.as_ref().filter(|_| policy.is_some());
        ListEntry {
            reference: self.reference.clone(),
            product: self.product.clone(),
            status: self.status,
            holder_name: self.holder_name.clone(),
            created: self.created,
            inception: policy.map_or(self.current.inception, |policy| Some(policy.inception)),
            expiry: policy.map_or(self.current.expiry, |policy| Some(policy.expiry)),
            expires: self.expires.filter(|_| policy.is_none()),
            amount: accepted
                .map(|accepted| accepted.amount)
                .or_else(|| price.map(|price| price.total)),
            currency: price.map(|price| price.currency.clone()),
            renewal: self.renewal,
        }
    }
}

/// A quote or policy as its owner's list shows it, kept beside the quote so that a list
/// reads nothing else (part 3 of the specification, "Policy and list").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListEntry {
    /// Number the customer sees.
    pub reference: String,
    /// Product's identifier.
    pub product: String,
    /// Status as stored; see [`ListEntry::status_at`].
    pub status: QuoteStatus,
    /// Policyholder's name.
    pub holder_name: String,
    /// First saved.
    pub created: DateTime<Utc>,
    /// First day of cover.
    pub inception: Option<NaiveDate>,
    /// Last day of cover.
    pub expiry: Option<NaiveDate>,
    /// Moment from which a quote's price no longer holds.
    pub expires: Option<DateTime<Utc>>,
    /// What it costs, pence.
    pub amount: Option<Pence>,
    /// The price's currency.
    pub currency: Option<String>,
    /// Whether it renews a policy.
    pub renewal: bool,
}

impl ListEntry {
    /// Status at `now`, as [`Quote::status_at`].
    #[must_use]
    pub fn status_at(&self, now: DateTime<Utc>) -> QuoteStatus {
        status_at(self.status, self.expires, now)
    }
}

fn status_at(
    status: QuoteStatus,
    expires: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> QuoteStatus {
    let out_of_time = expires.is_some_and(|expires| now >= expires);
    match apply(status, QuoteEvent::RanOut) {
        Transition::Applied(lapsed) if out_of_time => lapsed,
        _ => status,
    }
}

fn keep_newest(hashes: &mut Vec<String>, hash: String) {
    hashes.push(hash);
    if hashes.len() > TOKENS_KEPT {
        hashes.remove(0);
    }
}

/// When the price of a quote saved at `now` stops holding: after `valid_days`, and never
/// after the end of its start date in London.
#[must_use]
pub fn expires(now: DateTime<Utc>, valid_days: i64, inception: NaiveDate) -> DateTime<Utc> {
    let validity = now + chrono::Duration::days(valid_days);
    let start_over = inception.succ_opt().map_or(validity, dates::start_of_day);
    validity.min(start_over)
}

/// One saved state of a quote; never changed afterwards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    /// From 1.
    pub number: u32,
    /// When it was saved.
    pub at: DateTime<Utc>,
    /// Product file it was rated by, SHA-256 in hexadecimal.
    pub product_hash: String,
    /// Normalised answers.
    pub answers: Answers,
    /// Its price; none for a draft or where underwriting refers or declines.
    pub price: Option<Price>,
    /// First day of cover, where known.
    pub inception: Option<NaiveDate>,
    /// Last day of cover, where known.
    pub expiry: Option<NaiveDate>,
}

impl Revision {
    /// What a quote has before its first save.
    #[must_use]
    pub fn none(at: DateTime<Utc>) -> Self {
        Self {
            number: 0,
            at,
            product_hash: String::new(),
            answers: Answers::default(),
            price: None,
            inception: None,
            expiry: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use QuoteStatus as S;
    use Transition::{AlreadyApplied, Applied};

    const EVENTS: [QuoteEvent; 8] = [
        QuoteEvent::Saved(Saved::Draft),
        QuoteEvent::Saved(Saved::Partial),
        QuoteEvent::Saved(Saved::Priced),
        QuoteEvent::Saved(Saved::Referred),
        QuoteEvent::Saved(Saved::Declined),
        QuoteEvent::Paid,
        QuoteEvent::RanOut,
        QuoteEvent::NotTakenUp,
    ];

    /// One letter an event of `EVENTS`: the new status' initial, `=` already applied, `-`
    /// refused.
    fn row(status: S) -> String {
        EVENTS
            .iter()
            .map(|event| match apply(status, *event) {
                Applied(S::Draft) => 'd',
                Applied(S::Partial) => 'p',
                Applied(S::Quote) => 'q',
                Applied(S::Refer) => 'r',
                Applied(S::Declined) => 'x',
                Applied(S::Live) => 'L',
                Applied(S::Lapsed) => 'l',
                Applied(S::NotTakenUp) => 'n',
                Applied(other) => panic!("{status:?} may not become {other:?}"),
                AlreadyApplied => '=',
                Transition::Refused(reason) => {
                    assert!(reason.ends_with('.'));
                    '-'
                }
            })
            .collect()
    }

    #[test]
    fn every_status_answers_every_event() {
        let table = [
            (S::Quote, "dpqrxLln"),
            (S::Draft, "dpqrxLln"),
            (S::Live, "-----=--"),
            (S::Refer, "dpqrxL-n"),
            (S::Cancelled, "-----=--"),
            (S::AdjustmentDraft, "--------"),
            (S::NotTakenUp, "-------="),
            (S::Expired, "-----=--"),
            (S::Renewed, "-----=--"),
            (S::Partial, "dpqrxLln"),
            (S::Declined, "dpqrxL-n"),
            (S::Lapsed, "dpqrxL=n"),
        ];
        for (status, expected) in table {
            assert_eq!(row(status), expected, "{status:?}");
        }
        assert_eq!(table.len(), S::ALL.len());
    }

    #[test]
    fn ids_are_the_specifications() {
        let ids: Vec<u32> = S::ALL.iter().map(|status| status.id()).collect();
        assert_eq!(ids, [1, 2, 5, 7, 8, 9, 14, 15, 16, 30, 31, 32]);
    }

    #[test]
    fn a_price_holds_thirty_days_but_not_past_its_start() {
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
            "2026-07-01T10:00:00Z".parse::<DateTime<Utc>>().unwrap()
        );
    }
}
