//! JSON schemas to create, change and accept quotes.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use serde_json::Value;
use uuid::Uuid;

use super::answers::SerializedProduct;
use crate::api::http::error::ApiError;
use crate::app::AppError;
use crate::app::policies::plans::PlanOffer;
use crate::app::quotes::{SavedFrom, Submission};
use crate::config::is_own_path;
use crate::domain::money::Pence;
use crate::domain::quote::campaign::SourceTracking;
use crate::domain::quote::lookup::LookupRef;
use crate::domain::quote::{Origin, StatusId};
use crate::json_schema::{RequestSchema, ResponseSchema, or_default};

/// Campaign parameters, from an address that the visitor opened or from a partner's request.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct Tracking {
    external_uuid: Option<String>,
    utm_source: Option<String>,
    utm_campaign: Option<String>,
    utm_medium: Option<String>,
}

impl From<Tracking> for SourceTracking {
    fn from(tracking: Tracking) -> Self {
        Self {
            external_uuid: tracking.external_uuid,
            utm_source: tracking.utm_source,
            utm_campaign: tracking.utm_campaign,
            utm_medium: tracking.utm_medium,
        }
    }
}

/// A quote to be saved.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct QuoteCreate {
    pub(super) product: SerializedProduct,
    /// True saves a draft, in which answers may be missing.
    #[serde(default, deserialize_with = "or_default")]
    pub(super) draft: bool,
    pub(super) source_tracking: Option<Tracking>,
    /// The vehicles that were looked up, and the customer's answer to each.
    pub(super) lookups: Option<Vec<LookupRef>>,
    pub(super) affiliate_uuid: Option<String>,
    pub(super) affiliate_request_uuid: Option<String>,
    /// The list of an affiliate: `{"multiple": true, "requests": {"<custom id>": {...}}}`. At most 16 KiB of
    /// JSON. The product limits the number of entries in `requests`.
    pub(super) affiliate_extra: Option<Value>,
}

impl QuoteCreate {
    /// Returns the new quote for the product in the path.
    ///
    /// # Errors
    /// 400 if the body names another product.
    pub fn submission(self, product: &str) -> Result<Submission, ApiError> {
        if self
            .product
            .identifier()
            .is_some_and(|named| named != product)
        {
            return Err(ApiError::malformed(
                "`product_identifier` is not the product of the address.",
            ));
        }
        Ok(Submission {
            product: product.to_string(),
            draft: self.draft,
            origin: Origin {
                tracking: self.source_tracking.map(Into::into).unwrap_or_default(),
                affiliate_uuid: self.affiliate_uuid,
                affiliate_request_uuid: self.affiliate_request_uuid,
                affiliate_extra: self.affiliate_extra.filter(|extra| !extra.is_null()),
            },
            answers: self.product.answers(),
            renews: None,
            lookups: self.lookups.unwrap_or_default(),
        })
    }
}

/// New answers for a quote.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct QuoteUpdate {
    product: SerializedProduct,
    /// True saves a draft, in which answers may be missing.
    #[serde(default, deserialize_with = "or_default")]
    draft: bool,
    /// The revision on which the new answers are based. A request for another revision than the newest gets a
    /// 409. Without `revision_id`, the save may overwrite a newer revision.
    revision_id: Option<u32>,
    /// The vehicles that were looked up, and the customer's answer to each.
    lookups: Option<Vec<LookupRef>>,
    /// The path of the page that saves the quote, at most 200 characters. The path is stored with the
    /// revision, without its query and fragment.
    path: Option<String>,
}

impl QuoteUpdate {
    /// Returns the new answers, and the revision and page from which the caller saves them.
    ///
    /// # Errors
    /// 400 if the product's identifier is missing, and 422 for an invalid path.
    pub fn submission(self) -> Result<(Submission, SavedFrom), ApiError> {
        let product = self
            .product
            .identifier()
            .ok_or_else(|| ApiError::malformed("`product_identifier` is missing."))?
            .to_string();
        let submission = Submission {
            product,
            draft: self.draft,
            origin: Origin::default(),
            answers: self.product.answers(),
            renews: None,
            lookups: self.lookups.unwrap_or_default(),
        };
        let from = SavedFrom {
            revision: self.revision_id,
            path: self.path.as_deref().map(page).transpose()?.flatten(),
        };
        Ok((submission, from))
    }
}

/// Most characters of a page's path.
const LONGEST_PATH: usize = 200;

/// Returns the path of a page of the website, without query and fragment. Returns `None` for an empty
/// path.
///
/// # Errors
/// 422 if the path is too long or is no path of the website.
fn page(path: &str) -> Result<Option<String>, ApiError> {
    let page = path.split(['?', '#']).next().unwrap_or_default();
    if page.is_empty() {
        return Ok(None);
    }
    if page.chars().count() > LONGEST_PATH || !is_own_path(page) {
        let rule = format!("Use a path of this website, of at most {LONGEST_PATH} characters.");
        return Err(AppError::field("path", &rule).into());
    }
    Ok(Some(page.to_owned()))
}

/// The answer to creating a quote.
#[derive(Serialize, ResponseSchema)]
pub struct QuoteCreated {
    pub(in crate::api) uuid: Uuid,
    /// The reference that the customer sees.
    pub(in crate::api) custom_id: String,
    /// The token that reads and changes the quote, for `Authorization: Bearer`.
    pub(in crate::api) consumer_token: String,
    pub(in crate::api) status_id: StatusId,
    /// Why underwriting refers or declines the quote. Left out if there is no reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::api) reason: Option<String>,
    pub(in crate::api) revision_id: u32,
    pub(in crate::api) notices: Vec<String>,
}

/// The answer to saving a quote.
#[derive(Serialize, ResponseSchema)]
pub struct QuoteSaved {
    pub(in crate::api) uuid: Uuid,
    pub(in crate::api) revision_id: u32,
    pub(in crate::api) status_id: StatusId,
    /// Why underwriting refers or declines the quote. Left out if there is no reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::api) reason: Option<String>,
    pub(in crate::api) notices: Vec<String>,
}

/// The user's own quotes among the waiting quotes.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct ClaimRequest {
    /// The uuids of the user's own quotes. Empty if none of the waiting quotes is the user's.
    pub(in crate::api) quotes: Vec<Uuid>,
}

/// The customer's agreement to buy.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct AcceptRequest {
    /// `annual`, which is also the default, or `monthly`. Every other value gets a 422. So does `monthly` for a
    /// price that can't be paid monthly.
    pub(in crate::api) payment_frequency: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) terms_and_conditions: bool,
    #[serde(default, deserialize_with = "or_default")]
    pub(in crate::api) auto_renew: bool,
    /// The revision that the customer was shown. A request for another revision than the newest gets a 409.
    /// Without `revision_id`, the caller must have been shown the newest revision, by reading or saving the
    /// quote.
    pub(in crate::api) revision_id: Option<u32>,
    /// Whether each exclusion of the cover matters to the customer, by the exclusion's id. An exclusion
    /// without an answer is left out. Without `exclusions`, the earlier answers stay.
    pub(in crate::api) exclusions: Option<BTreeMap<String, bool>>,
}

/// An accepted quote.
#[derive(Serialize, ResponseSchema)]
pub struct AcceptedQuote {
    pub(in crate::api) uuid: Uuid,
    /// The amount due now, in pounds: the price, or the first payment of a plan.
    pub(in crate::api) amount_due: Pence,
    pub(in crate::api) revision_id: u32,
    /// The plan of a customer who pays monthly. Null for every other customer.
    pub(in crate::api) plan: Option<PlanOffer>,
}

/// A status and its name.
#[derive(Serialize, ResponseSchema)]
pub struct StatusTitle {
    pub(in crate::api) status_id: StatusId,
    pub(in crate::api) status_title: &'static str,
}

/// A token for a quote.
#[derive(Serialize, ResponseSchema)]
pub struct Resumed {
    pub(in crate::api) uuid: Uuid,
    pub(in crate::api) consumer_token: String,
}

/// A quote that was added to an account.
#[derive(Serialize, ResponseSchema)]
pub struct Adopted {
    pub(in crate::api) uuid: Uuid,
}
