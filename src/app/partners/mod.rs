//! Quotes that come through aggregators: a partner sends a risk and gets a price and an
//! address for its customer, who goes on from there.

use chrono::{DateTime, Utc};
use data_encoding::HEXLOWER;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::num::NonZeroU32;
use uuid::Uuid;

use super::limits::{Client, LimitKind};
use super::quotes::{Submission, revision_of};
use super::{App, AppError, access, new_id};
use crate::app::mail::quote::note_asked;
use crate::app::quotes::read::QuoteView;
use crate::app::quotes::underwrite::{Assessed, holder_name, new_quote, save};
use crate::app::rows;
use crate::app::work::queue::enqueue;
use crate::config::Partner;
use crate::domain::dates;
use crate::domain::quote::{ByPartner, Quote};
use crate::secret::{Secret, hash_token, same_bytes};
use crate::store::tables::{Click, FirstAnswer, PartnerRequest, Task};
use crate::store::{Read, WriteTx, tables};

/// Longest id that a partner may name, in characters.
const LONGEST_ID: usize = 100;
/// Largest `additional`, bytes as JSON.
const LARGEST_ADDITIONAL: usize = 16 << 10;

/// A risk as a partner sends it.
#[derive(Clone, Debug)]
pub struct Risk {
    /// The answers.
    pub submission: Submission,
    /// The partner's own id of this risk.
    pub reference: String,
    /// The service it asks for.
    pub service: String,
    /// What else it wants kept.
    pub additional: Option<Value>,
}

/// What a partner is answered.
pub struct Sent {
    /// The quote.
    pub view: QuoteView,
    /// Where its customer goes on.
    pub click_through: String,
}

/// How often each partner may send.
pub(super) struct PartnerRateLimit(HashMap<String, DefaultDirectRateLimiter>);

impl PartnerRateLimit {
    pub(super) fn of(partners: &[Partner]) -> Self {
        let limiter = |partner: &Partner| {
            let most = NonZeroU32::new(partner.requests_a_minute).unwrap_or(NonZeroU32::MIN);
            let limiter = RateLimiter::direct(Quota::per_minute(most));
            (partner.identifier.clone(), limiter)
        };
        Self(partners.iter().map(limiter).collect())
    }
}

impl App {
    /// The partner whose key this is.
    ///
    /// # Errors
    /// [`AppError::Unauthenticated`] for a key that is nobody's.
    fn partner_of(&self, key: &str) -> Result<&Partner, AppError> {
        let hash = hash_token(key);
        let partners = self.config.partners.iter();
        let mut found = None;
        // All of them are looked at: how long it takes says nothing of whose key is near.
        for partner in partners {
            if same_bytes(&partner.key_hash, &hash) {
                found = Some(partner);
            }
        }
        found.ok_or(AppError::Unauthenticated)
    }

    /// Saves a partner's risk as a quote. The same request again is answered what it was
    /// answered first: what the quote's customer made of it is no partner's to read.
    ///
    /// # Errors
    /// [`AppError::Unauthenticated`] for a wrong key, [`AppError::TooMany`] above the
    /// partner's pace, [`AppError::Invalid`] with what is wrong, a conflict for a reference
    /// that came with another body.
    pub async fn partner_risk(&self, key: &str, risk: Risk, body: &[u8]) -> Result<Sent, AppError> {
        let now = self.clock.now();
        let partner = self.partner_of(key)?;
        let is_too_fast = |limiter: &DefaultDirectRateLimiter| limiter.check().is_err();
        if self
            .pace
            .0
            .get(&partner.identifier)
            .is_some_and(is_too_fast)
        {
            return Err(AppError::TooMany { retry_after: 1 });
        }
        check_ids(partner, &risk)?;
        let asked = (partner.identifier.clone(), risk.reference.clone());
        let body = HEXLOWER.encode(&Sha256::digest(body));
        let click = new_click()?;
        let click_hash = hash_token(&click.to_string());
        let known = first_request(&self.store.read()?, &asked, &body)?;
        let quote = match known {
            // It isn't judged anew: its first day may be over by now.
            Some(first) => {
                self.store
                    .write(move |tx| answer_again(tx, &first, click_hash, now))
                    .await?
            }
            None => {
                let assessed = self.underwrite_risk(&risk, now)?;
                let prefix = self
                    .products
                    .find(&assessed.product, dates::london_date(now))?
                    .product
                    .reference_prefix()
                    .to_string();
                let mark = ByPartner {
                    partner: partner.identifier.clone(),
                    reference: risk.reference,
                    service: risk.service,
                    additional: risk.additional,
                    shown: assessed.price.as_ref().map(|price| price.total),
                };
                let uuid = new_id(now);
                self.store
                    .write(move |tx| {
                        if let Some(first) = first_request(tx, &asked, &body)? {
                            return answer_again(tx, &first, click_hash, now);
                        }
                        let mut quote = new_quote(tx, uuid, None, &prefix, &assessed, now)?;
                        quote.partner = Some(mark.clone());
                        save(tx, &mut quote, &assessed, now)?;
                        let first = PartnerRequest {
                            quote: uuid,
                            body: body.clone(),
                            answered: FirstAnswer::of(&quote),
                        };
                        rows::partners::put_request(tx, &asked, &first)?;
                        keep_click(tx, click_hash, uuid, None)?;
                        Ok(quote)
                    })
                    .await?
            }
        };
        let view = self.view(&self.store.read()?, quote)?;
        Ok(Sent {
            view,
            click_through: format!("{}/aggregator/{click}", self.public_url),
        })
    }

    /// What a partner sent, judged; a partial quote where answers are missing. What is there
    /// must be right.
    fn underwrite_risk(&self, risk: &Risk, now: DateTime<Utc>) -> Result<Assessed, AppError> {
        let mut assessed = match self.underwrite(risk.submission.clone(), now) {
            Ok(assessed) => assessed,
            Err(AppError::Invalid(_)) => {
                let sent = &risk.submission;
                let draft = Submission {
                    draft: true,
                    ..sent.clone()
                };
                let mut partial = self.underwrite(draft, now)?;
                let price = self.price(&sent.product, &sent.answers, &sent.origin.tracking)?;
                partial.partial(price);
                partial
            }
            Err(error) => return Err(error),
        };
        assessed.mail_at = None;
        Ok(assessed)
    }

    /// The first click of a partner's customer: the quote, and a token for it. It is the first
    /// of all the addresses that the partner was given: one that it kept back opens nothing
    /// once its customer is in.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for an address that isn't ours or whose quote is out of reach,
    /// a conflict for one that was used or whose quote its customer has already.
    pub async fn click_through(&self, click: &str) -> Result<(QuoteView, Secret), AppError> {
        let now = self.clock.now();
        let hash = click_hash(click)?;
        let known = tables::CLICKS.get(&self.store.read()?, &hash)?;
        let (token, token_hash) = access::new_quote_token(known.ok_or(AppError::NotFound)?.quote)?;
        let quote = self
            .store
            .write(move |tx| {
                let mut click = tables::CLICKS.get(tx, &hash)?.ok_or(AppError::NotFound)?;
                let mut quote = open_quote(tx, click.quote, now)?;
                if click.used.is_some() || !is_as_sent(&quote) {
                    return Err(AppError::conflict(
                        "click_used",
                        "This link was used before. We can send you a new one by email.",
                    ));
                }
                click.used = Some(now);
                rows::partners::put_click(tx, hash, &click)?;
                quote.give_token(token_hash.clone());
                rows::quotes::put(tx, &quote)?;
                Ok(quote)
            })
            .await?;
        Ok((self.view(&self.store.read()?, quote)?, token))
    }

    /// Mails a link to the quote of a click-through address, used or not, to the address in
    /// the quote. Who asks often waits, whether or not there is such a quote.
    ///
    /// # Errors
    /// [`AppError::TooMany`], [`AppError::NotFound`] as [`App::click_through`], a refusal when
    /// the quote has no mail address.
    pub async fn mail_click(&self, click: &str, client: &Client) -> Result<(), AppError> {
        let now = self.clock.now();
        self.limits
            .take(LimitKind::MailFrom, &client.counted(), now)?;
        let (hash, job) = (click_hash(click)?, new_id(now));
        self.store
            .write(move |tx| {
                let click = tables::CLICKS.get(tx, &hash)?.ok_or(AppError::NotFound)?;
                let quote = open_quote(tx, click.quote, now)?;
                let Some(name) = quote.mailbox.clone() else {
                    return Err(AppError::refused(
                        "no_address",
                        "We have no email address for this quote. Please call us.",
                    ));
                };
                let quote = quote.uuid;
                note_asked(tx, &name, quote)?;
                enqueue(tx, Task::MailQuote { name, quote }, now, job)
            })
            .await
    }

    /// The partner a quote came through, while there is one of that name.
    #[must_use]
    pub fn partner(&self, quote: &Quote) -> Option<&Partner> {
        let mark = quote.partner.as_ref()?;
        let mut partners = self.config.partners.iter();
        partners.find(|partner| partner.identifier == mark.partner)
    }
}

/// Why the price of a quote that came through a partner is not the one that the partner showed.
pub(super) fn price_notice(quote: &Quote, partner: &Partner) -> Option<String> {
    let shown = quote.partner.as_ref()?.shown?;
    let name = &partner.name;
    match quote.current.price.as_ref().map(|price| price.total) {
        Some(price) if price == shown => None,
        Some(price) => {
            let why = if quote.current.number > 1 {
                "because your answers or the day have changed"
            } else {
                "because it was worked out anew"
            };
            Some(format!(
                "{name} showed you {shown}. The price is now {price}, {why}."
            ))
        }
        None => Some(format!(
            "{name} showed you {shown}. We can't offer that price for these answers."
        )),
    }
}

/// The quote, if nobody has claimed it and its visitor may still come back to it.
fn open_quote(tx: &WriteTx<'_>, uuid: Uuid, now: DateTime<Utc>) -> Result<Quote, AppError> {
    let quote = tables::QUOTES.get(tx, &uuid)?.ok_or(AppError::NotFound)?;
    if quote.owner.is_some() || !access::in_time(tx, &quote, now)? {
        return Err(AppError::NotFound);
    }
    Ok(quote)
}

/// Whether nobody has been at a partner's quote since it was sent.
fn is_as_sent(quote: &Quote) -> bool {
    // Who clicks through, or comes back by a letter, is given a token.
    let untouched = quote.current.number == 1 && quote.tokens.is_empty();
    untouched && quote.owner.is_none() && !quote.status.may_be_policy()
}

/// What came first under a reference.
///
/// # Errors
/// A conflict when it came with another body.
fn first_request(
    tx: &impl Read,
    asked: &(String, String),
    body: &str,
) -> Result<Option<PartnerRequest>, AppError> {
    match tables::PARTNER_REQUESTS.get(tx, asked)? {
        Some(first) if first.body != body => Err(AppError::conflict(
            "reference_reused",
            "This reference_uuid came before with another request.",
        )),
        first => Ok(first),
    }
}

/// The quote as it was first answered, whatever became of it since. The address that goes with
/// it opens the quote only while nobody has been at it; later it is as good as a used one.
fn answer_again(
    tx: &mut WriteTx<'_>,
    first: &PartnerRequest,
    click: [u8; 32],
    now: DateTime<Utc>,
) -> Result<Quote, AppError> {
    let quote = tables::QUOTES.get(tx, &first.quote)?;
    let quote = quote.ok_or(AppError::NotFound)?;
    let is_as_sent = is_as_sent(&quote);
    keep_click(tx, click, quote.uuid, (!is_as_sent).then_some(now))?;
    let stood = first.answered.clone();
    let revision = revision_of(tx, &quote, 1)?;
    let mut answered = Quote {
        status: stood.status,
        reason: stood.reason,
        expires: stood.expires,
        holder_name: holder_name(&revision.answers),
        current: revision,
        accepted: None,
        versions: Vec::new(),
        ..quote
    };
    answered.note_version();
    Ok(answered)
}

fn keep_click(
    tx: &mut WriteTx<'_>,
    hash: [u8; 32],
    quote: Uuid,
    used: Option<DateTime<Utc>>,
) -> Result<(), AppError> {
    Ok(rows::partners::put_click(tx, hash, &Click { quote, used })?)
}

fn check_ids(partner: &Partner, risk: &Risk) -> Result<(), AppError> {
    let fits = |id: &str| {
        (1..=LONGEST_ID).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())
    };
    if !fits(&risk.reference) {
        return Err(AppError::field(
            "reference_uuid",
            "This must be 1 to 100 visible characters.",
        ));
    }
    if !partner.services.contains(&risk.service) {
        return Err(AppError::field(
            "service_uuid",
            "This is none of your services.",
        ));
    }
    let size = risk
        .additional
        .as_ref()
        .map_or(0, |value| value.to_string().len());
    if size > LARGEST_ADDITIONAL {
        return Err(AppError::field("additional", "This is larger than 16 KiB."));
    }
    Ok(())
}

/// A click-through id: 128 random bits, written as a uuid.
fn new_click() -> Result<Uuid, AppError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|_| crate::secret::NoRandomness)?;
    Ok(Uuid::from_bytes(bytes))
}

fn click_hash(click: &str) -> Result<[u8; 32], AppError> {
    let click = Uuid::parse_str(click).map_err(|_| AppError::NotFound)?;
    Ok(hash_token(&click.to_string()))
}
