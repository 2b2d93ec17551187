//! A partner's risks. Each risk becomes a quote. The answer has a price and an address for the customer.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use data_encoding::HEXLOWER;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::app::idempotency::{self, CallKey, Once};
use crate::app::limits::{self, Limit};
use crate::app::partners::click_through::{is_unopened, new_click, store_click};
use crate::app::products::ProductRegistry;
use crate::app::quotes::read::QuoteView;
use crate::app::quotes::save::{new_quote, save};
use crate::app::quotes::underwrite::Assessed;
use crate::app::quotes::{self, Submission, revision_of};
use crate::app::{App, AppError, new_id, page_addresses};
use crate::clock::Clock;
use crate::config::{Config, Partner};
use crate::domain::quote::{ByPartner, Quote, policyholder};
use crate::domain::time::dates;
use crate::secret::{hash_token, same_bytes};
use crate::store::tables::{self, FirstAnswer, PartnerRequest};
use crate::store::{Read, WriteTx};

/// Maximum length of [`Risk::reference`], the partner's own id of a risk, in characters.
const LONGEST_ID: usize = 100;

/// Maximum size of `additional`, in bytes of JSON.
const LARGEST_ADDITIONAL: usize = 16 << 10;

/// A partner's request for a quote.
#[derive(Clone, Debug)]
pub struct Risk {
    pub submission: Submission,
    /// The partner's own id of this risk.
    pub reference: String,
    /// The requested service, one of the partner's services in the settings.
    pub service: String,
    /// Other data that the shop stores for the partner.
    pub additional: Option<Value>,
}

/// The answer to a partner.
pub struct Sent {
    pub view: QuoteView,
    /// The address where the customer continues.
    pub click_through: String,
}

/// Returns the partner with this key.
///
/// # Errors
/// [`AppError::Unauthenticated`] for an unknown key.
fn partner_of<'a>(config: &'a Config, key: &str) -> Result<&'a Partner, AppError> {
    let hash = hash_token(key);
    let partners = config.partners.iter();
    let mut found = None;
    // All keys are compared, so that the duration does not reveal a partly right key.
    for partner in partners {
        if same_bytes(&partner.key_hash, &hash) {
            found = Some(partner);
        }
    }
    found.ok_or(AppError::Unauthenticated)
}

/// Saves a partner's risk as a quote. A repeated request gets the first answer again, because the partner may
/// not read the customer's changes.
///
/// # Errors
/// [`AppError::Unauthenticated`] for a wrong key. [`AppError::TooMany`] above the partner's rate limit.
/// [`AppError::Invalid`] with the wrong fields. A conflict for a reference that was used with another body.
/// [`AppError::NotFound`] if the quote of a repeated request no longer exists.
/// [`AppError::InsufficientStorage`] while the disk is short of space.
pub async fn partner_risk(app: &App, key: &str, risk: Risk, body: &[u8]) -> Result<Sent, AppError> {
    let now = app.clock.now();
    let partner = partner_of(&app.config, key)?;
    let per_minute = partner.requests_per_minute;
    let limit = Limit::PartnerRequests { per_minute };
    limits::count_here(app, limit, &partner.identifier, 1)?;
    check_ids(partner, &risk)?;
    let reference = Reference {
        request_of: (partner.identifier.clone(), risk.reference.clone()),
        body: HEXLOWER.encode(&Sha256::digest(body)),
    };
    let click = new_click()?;
    let click_hash = hash_token(&click.to_string());
    let uuid = new_id(now);
    let sent = idempotency::once(&app.store, reference.clone(), now, async {
        app.disk_space.ensure()?;
        let assessed = underwrite_risk(&app.clock, &app.config, &app.products, &risk, now)?;
        let product = app
            .products
            .find(&assessed.product, dates::london_date(now))?;
        let prefix = product.product.reference_prefix().to_string();
        let by_partner = ByPartner {
            partner: partner.identifier.clone(),
            reference: risk.reference,
            service: risk.service,
            additional: risk.additional,
            shown_price: assessed.price.as_ref().map(|price| price.total),
        };
        Ok(move |tx: &mut WriteTx<'_>| {
            let mut quote = new_quote(tx, uuid, None, &prefix, &assessed, now)?;
            quote.partner = Some(by_partner.clone());
            save(tx, &mut quote, &assessed, now)?;
            store_click(tx, click_hash, uuid, None)?;
            Ok(PartnerRequest {
                quote: uuid,
                body: reference.body.clone(),
                answered: FirstAnswer::from_quote(&quote),
            })
        })
    })
    .await?;
    let view = match sent {
        Once::First(made) => {
            let stored = |tx: &_| tables::QUOTES.get(tx, &made.quote);
            app.store
                .read(|tx| {
                    quotes::view(
                        &app.clock,
                        &app.config,
                        &app.products,
                        tx,
                        stored(tx)?.ok_or(AppError::NotFound)?,
                        None,
                    )
                })
                .await?
        }
        // The risk is not underwritten again, because its first day of cover may have passed.
        Once::Repeated(first) => {
            let quote = app
                .store
                .write(move |tx| repeat_answer(tx, &first, click_hash, now))
                .await?;
            app.store
                .read(|tx| quotes::view(&app.clock, &app.config, &app.products, tx, quote, None))
                .await?
        }
    };
    Ok(Sent {
        view,
        click_through: page_addresses::click_through(&app.public_url, click),
    })
}

/// Underwrites a partner's risk. If answers are missing, but the given answers are valid and have a price,
/// returns a partial quote. The save of the quote queues no letter.
fn underwrite_risk(
    clock: &Clock,
    config: &Config,
    products: &ProductRegistry,
    risk: &Risk,
    now: DateTime<Utc>,
) -> Result<Assessed, AppError> {
    let mut assessed = match quotes::underwrite(config, products, risk.submission.clone(), now) {
        Ok(assessed) => assessed,
        Err(AppError::Invalid(_)) => {
            let sent = &risk.submission;
            let draft = Submission {
                draft: true,
                ..sent.clone()
            };
            let mut partial = quotes::underwrite(config, products, draft, now)?;
            let (price, _) = quotes::shown_price(
                clock,
                products,
                &sent.product,
                &sent.answers,
                &sent.origin.tracking,
            )?;
            partial.partial(price);
            partial
        }
        Err(error) => return Err(error),
    };
    assessed.mail_at = None;
    Ok(assessed)
}

/// A partner's own id of a risk, and the hash of the request's body. The first answer counts until retention
/// deletes the request's row.
#[derive(Clone)]
struct Reference {
    request_of: (String, String),
    body: String,
}

impl CallKey<PartnerRequest> for Reference {
    fn is_given(&self) -> bool {
        true
    }

    fn first(
        &self,
        tx: &impl Read,
        _now: DateTime<Utc>,
    ) -> Result<Option<PartnerRequest>, AppError> {
        match tables::PARTNER_REQUESTS.get(tx, &self.request_of)? {
            Some(first) if first.body != self.body => Err(AppError::conflict(
                "reference_reused",
                "This reference_uuid came before with another request.",
            )),
            first => Ok(first),
        }
    }

    fn store_answer(
        &self,
        tx: &mut WriteTx<'_>,
        first: &PartnerRequest,
        _now: DateTime<Utc>,
    ) -> Result<(), AppError> {
        Ok(tables::PARTNER_REQUESTS.put_new(tx, &self.request_of, first)?)
    }
}

/// Returns the quote as in the first answer, without later changes. Stores another click-through address. The
/// address counts as used if somebody has opened, changed, claimed or bought the quote.
fn repeat_answer(
    tx: &mut WriteTx<'_>,
    first: &PartnerRequest,
    click: [u8; 32],
    now: DateTime<Utc>,
) -> Result<Quote, AppError> {
    let quote = tables::QUOTES.get(tx, &first.quote)?;
    let quote = quote.ok_or(AppError::NotFound)?;
    let is_unopened = is_unopened(&quote);
    store_click(tx, click, quote.uuid, (!is_unopened).then_some(now))?;
    let stood = first.answered.clone();
    let revision = revision_of(tx, &quote, 1)?;
    let mut answered = Quote {
        status: stood.status,
        reason: stood.reason,
        expires: stood.expires,
        holder_name: policyholder::name(&revision.answers),
        current: revision,
        accepted: None,
        exclusion_answers: BTreeMap::default(),
        // A partner must not learn whether an account owns the quote.
        owner: None,
        versions: Vec::new(),
        ..quote
    };
    answered.note_version();
    Ok(answered)
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
