//! What every page shows, as it goes over the wire.

use super::published::answer;
use crate::domain::person;

answer! {
    /// Links that lead out of the shop.
    pub struct Links {
        pub(in crate::api) about_us: String,
        pub(in crate::api) motor: String,
        pub(in crate::api) contact: String,
        pub(in crate::api) terms: String,
        pub(in crate::api) privacy: String,
        pub(in crate::api) cookies: String,
    }
}

answer! {
    /// An independent rating.
    pub struct RatingBadge {
        pub(in crate::api) image: String,
        pub(in crate::api) alt: String,
    }
}

answer! {
    /// The tag manager, loaded only in production and with consent.
    pub struct TagManager {
        pub(in crate::api) id: String,
        pub(in crate::api) src: String,
    }
}

answer! {
    /// What every page shows.
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
        pub(in crate::api) sign_on: String,
        pub(in crate::api) providers: Vec<String>,
        /// Whether the card that pays can be charged for the renewal too.
        pub(in crate::api) renews_by_card: bool,
        pub(in crate::api) cookie_name: String,
        /// What `title_id` may be.
        pub(in crate::api) titles: Vec<Choice>,
        /// What `country_id` may be, by ISO 3166-1.
        pub(in crate::api) countries: Vec<Choice>,
        pub(in crate::api) password_rule: PasswordRule,
    }
}

answer! {
    /// An entry of a list to choose from.
    pub struct Choice {
        pub(in crate::api) id: u32,
        pub(in crate::api) title: String,
    }
}

answer! {
    /// What a new password must have.
    pub struct PasswordRule {
        /// Characters.
        pub(in crate::api) min_length: usize,
        /// Characters.
        pub(in crate::api) max_length: usize,
        pub(in crate::api) uppercase: bool,
        pub(in crate::api) lowercase: bool,
        pub(in crate::api) digit: bool,
        pub(in crate::api) special: bool,
        pub(in crate::api) no_whitespace: bool,
    }
}

impl From<&person::Choice> for Choice {
    fn from(choice: &person::Choice) -> Self {
        Self {
            id: choice.id,
            title: choice.title.clone(),
        }
    }
}
