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
    /// The hours of the telephone line `phone`.
    pub(in crate::api) hours: String,
    /// The telephone number for help after a breakdown, answered at any hour.
    pub(in crate::api) assistance_phone: String,
    pub(in crate::api) links: Links,
    pub(in crate::api) footer: Vec<String>,
    /// How to complain, and the ombudsman.
    pub(in crate::api) complaints: String,
    /// An independent rating. Null if there is none.
    pub(in crate::api) rating_badge: Option<RatingBadge>,
    /// The address of the frame with customers' reviews. Null if there is none.
    pub(in crate::api) reviews_frame: Option<String>,
    /// The height of the frame with reviews, in pixels (part 1 of the specification).
    pub(in crate::api) reviews_height: u32,
    /// The tag manager. Null if there is none.
    pub(in crate::api) tag_manager: Option<TagManager>,
    pub(in crate::api) production: bool,
    /// Whether the shop sells and changes nothing for now, because it was restored from a backup.
    pub(in crate::api) held: bool,
    pub(in crate::api) login_redirect: String,
    /// The names of the gateways that the shop offers.
    pub(in crate::api) providers: Vec<String>,
    /// The gateways of `providers` that keep cards. Only these take monthly payments.
    pub(in crate::api) card_providers: Vec<String>,
    /// Whether the insurer grants the credit of monthly payments. False if the settings don't say who does.
    pub(in crate::api) insurer_grants_monthly: bool,
    /// Whether the card of a purchase can also be charged for the renewal.
    pub(in crate::api) renews_by_card: bool,
    /// Whether a gateway needs the town of the policyholder's address, so that a typed address needs its
    /// town as a last line.
    pub(in crate::api) needs_town: bool,
    pub(in crate::api) cookie_name: String,
    /// The choices of `title_id`.
    pub(in crate::api) titles: Vec<Choice>,
    /// The choices of `country_id`, numbered by ISO 3166-1.
    pub(in crate::api) countries: Vec<Choice>,
    pub(in crate::api) password_rule: PasswordRule,
}
