//! Whether there is cover, as it goes over the wire.

use chrono::{DateTime, Utc};
use poem_openapi::Enum;
use serde::Serialize;

use super::published::{answer, request};
use crate::app::policies::CoverFound;

request! {
    /// What cover is asked for: a registration or a policy number, and the policyholder's postcode.
    pub struct CoverRequest {
        pub(in crate::api) registration: Option<String>,
        pub(in crate::api) reference: Option<String>,
        pub(in crate::api) postcode: String,
    }
}

/// Whether there is cover.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum CoverState {
    Covered,
    NotYet,
    NotFound,
}

answer! {
    /// Whether there is cover. Nothing in it identifies a person.
    pub struct CoverAnswer {
        cover: CoverState,
        /// The first moment that is covered, where there is no cover yet.
        from: Option<DateTime<Utc>>,
        /// What the product is called, where there is cover, now or later.
        title: Option<String>,
        /// Who to call, where there is cover, now or later.
        phone: Option<String>,
    }
}

impl From<Option<CoverFound>> for CoverAnswer {
    fn from(found: Option<CoverFound>) -> Self {
        let Some(CoverFound { from, title, phone }) = found else {
            return Self {
                cover: CoverState::NotFound,
                from: None,
                title: None,
                phone: None,
            };
        };
        Self {
            cover: match from {
                None => CoverState::Covered,
                Some(_) => CoverState::NotYet,
            },
            from,
            title: Some(title),
            phone: Some(phone),
        }
    }
}
