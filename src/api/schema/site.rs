//! The JSON schema of the shop's settings, which every page shows.

use crate::config::{Links, PasswordRule, RatingBadge, TagManager};
use crate::domain::account::person::Choice;
use crate::json_schema::ResponseSchema;
use serde::Serialize;

/// The data that every page shows.
#[derive(Serialize, ResponseSchema)]
pub struct Site {
    pub(in crate::api) brand: String,
    pub(in crate::api) phone: String,
    pub(in crate::api) email: String,
    pub(in crate::api) hours: String,
    /// Answered day and night.
    pub(in crate::api) assistance_phone: String,
    pub(in crate::api) links: Links,
    pub(in crate::api) footer: Vec<String>,
    /// How to complain, and the ombudsman.
    pub(in crate::api) complaints: String,
    pub(in crate::api) rating_badge: Option<RatingBadge>,
    pub(in crate::api) reviews_frame: Option<String>,
    /// Pixels (part 1 of the specification).
    pub(in crate::api) reviews_height: u32,
    pub(in crate::api) tag_manager: Option<TagManager>,
    pub(in crate::api) production: bool,
    pub(in crate::api) login_redirect: String,
    pub(in crate::api) providers: Vec<String>,
    /// Whether the card that pays can be charged for the renewal too.
    pub(in crate::api) renews_by_card: bool,
    pub(in crate::api) cookie_name: String,
    /// The values of `title_id`.
    pub(in crate::api) titles: Vec<Choice>,
    /// The values of `country_id`, by ISO 3166-1.
    pub(in crate::api) countries: Vec<Choice>,
    pub(in crate::api) password_rule: PasswordRule,
}
