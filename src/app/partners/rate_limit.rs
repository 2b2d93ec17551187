//! How often each partner may send.

use std::collections::HashMap;
use std::num::NonZeroU32;

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

use crate::config::Partner;

/// How often each partner may send.
pub(in crate::app) struct PartnerRateLimit(HashMap<String, DefaultDirectRateLimiter>);

impl PartnerRateLimit {
    pub(in crate::app) fn of(partners: &[Partner]) -> Self {
        let limiter = |partner: &Partner| {
            let most = NonZeroU32::new(partner.requests_a_minute).unwrap_or(NonZeroU32::MIN);
            let limiter = RateLimiter::direct(Quota::per_minute(most));
            (partner.identifier.clone(), limiter)
        };
        Self(partners.iter().map(limiter).collect())
    }

    /// Counts a request against the share that one of so many `shops` has, and says whether it is one
    /// too many.
    pub(in crate::app) fn is_exceeded(&self, partner: &str, shops: u32) -> bool {
        let shops = NonZeroU32::new(shops).unwrap_or(NonZeroU32::MIN);
        self.0.get(partner).is_some_and(|limiter| {
            // One costs as many as there are shops; where the share is less than one, it costs all.
            match limiter.check_n(shops) {
                Ok(done) => done.is_err(),
                Err(_) => limiter.check().is_err(),
            }
        })
    }
}
