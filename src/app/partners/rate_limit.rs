//! How often each partner may send.

use std::collections::HashMap;
use std::num::NonZeroU32;

use governor::{DefaultDirectRateLimiter, InsufficientCapacity, Quota, RateLimiter};

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
            let counted = limiter.check_n(shops).or_else(|InsufficientCapacity(all)| {
                limiter.check_n(NonZeroU32::new(all).unwrap_or(NonZeroU32::MIN))
            });
            !matches!(counted, Ok(Ok(())))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shop_lets_its_share_through_and_one_where_that_is_less_than_one() {
        for (shops, through) in [(1, 6), (2, 3), (3, 2), (4, 1), (6, 1), (7, 1), (100, 1)] {
            let partner = Partner {
                id: 1,
                name: "Aggregator".to_string(),
                identifier: "aggregator".to_string(),
                logo_url: "/logo.svg".to_string(),
                key_hash: [0; 32],
                services: vec!["breakdown".to_string()],
                requests_a_minute: 6,
            };
            let limits = PartnerRateLimit::of(&[partner]);
            let let_through = (0..10).filter(|_| !limits.is_exceeded("aggregator", shops));
            assert_eq!(let_through.count(), through, "{shops} shops");
        }
    }
}
