//! What the shell of every page shows, from the configuration.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;

use super::error::ApiError;
use super::payload::{DataResponse, JsonResponse};
use super::wire::published::answer;
use crate::app::App;
use crate::domain::person;

/// The shell.
pub struct Shell;

answer! {
    /// Links that lead out of the shop.
    struct Links {
        about_us: String,
        motor: String,
        contact: String,
        terms: String,
        privacy: String,
        cookies: String,
    }
}

answer! {
    /// An independent rating.
    struct RatingBadge {
        image: String,
        alt: String,
    }
}

answer! {
    /// The tag manager, loaded only in production and with consent.
    struct TagManager {
        id: String,
        src: String,
    }
}

answer! {
    /// What the shell shows.
    struct Site {
        brand: String,
        phone: String,
        email: String,
        hours: String,
        /// Answered day and night.
        assistance_phone: String,
        links: Links,
        footer: Vec<String>,
        /// How to complain, and the ombudsman.
        complaints: String,
        rating_badge: Option<RatingBadge>,
        reviews_frame: Option<String>,
        /// Pixels (part 1 of the specification).
        reviews_height: u32,
        tag_manager: Option<TagManager>,
        production: bool,
        sign_on: String,
        providers: Vec<String>,
        cookie_name: String,
        /// What `title_id` may be.
        titles: Vec<Choice>,
        /// What `country_id` may be, by ISO 3166-1.
        countries: Vec<Choice>,
        password_rule: PasswordRule,
    }
}

answer! {
    /// One of a list.
    struct Choice {
        id: u32,
        title: String,
    }
}

answer! {
    /// What a new password must have.
    struct PasswordRule {
        /// Characters.
        min_length: usize,
        /// Characters.
        max_length: usize,
        uppercase: bool,
        lowercase: bool,
        digit: bool,
        special: bool,
        no_whitespace: bool,
    }
}

fn choices(list: &[person::Choice]) -> Vec<Choice> {
    let choice = |choice: &person::Choice| Choice {
        id: choice.id,
        title: choice.title.clone(),
    };
    list.iter().map(choice).collect()
}

#[OpenApi]
impl Shell {
    /// What the shell of every page shows.
    #[oai(path = "/api/v1/site", method = "get")]
    async fn site(&self, app: Data<&Arc<App>>) -> Result<DataResponse<Site>, ApiError> {
        let config = &app.config;
        let site = config.site.clone();
        let rule = config.accounts.password;
        JsonResponse::data(Site {
            brand: site.brand,
            phone: site.phone,
            email: site.email,
            hours: site.hours,
            assistance_phone: site.assistance_phone,
            links: Links {
                about_us: site.links.about_us,
                motor: site.links.motor,
                contact: site.links.contact,
                terms: site.links.terms,
                privacy: site.links.privacy,
                cookies: site.links.cookies,
            },
            footer: site.footer,
            complaints: site.complaints,
            rating_badge: site.rating_badge.map(|badge| RatingBadge {
                image: badge.image,
                alt: badge.alt,
            }),
            reviews_frame: site.reviews_frame,
            reviews_height: 28,
            tag_manager: config.tag_manager.clone().map(|tags| TagManager {
                id: tags.id,
                src: tags.src,
            }),
            production: config.is_production(),
            sign_on: config.accounts.sign_on.clone(),
            providers: app
                .providers()
                .map(|provider| provider.name().to_string())
                .collect(),
            cookie_name: config.cookies.name.clone(),
            titles: choices(&app.person.titles),
            countries: choices(&app.person.countries),
            password_rule: PasswordRule {
                min_length: rule.min_length,
                max_length: rule.max_length,
                uppercase: rule.uppercase,
                lowercase: rule.lowercase,
                digit: rule.digit,
                special: rule.special,
                no_whitespace: rule.no_whitespace,
            },
        })
    }
}
