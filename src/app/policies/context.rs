//! A policy with what its rules need.

use std::sync::Arc;

use uuid::Uuid;

use crate::app::quotes::revision_of;
use crate::app::{App, AppError, Caller, access};
use crate::domain::money::Pence;
use crate::domain::policy::Policy;
use crate::domain::price::{Line, Per};
use crate::domain::product::Product;
use crate::domain::quote::{Quote, Revision};
use crate::store::{Read, tables};

/// A policy with what its rules need.
pub struct PolicyContext {
    /// The quote it was made of.
    pub quote: Quote,
    /// The policy.
    pub policy: Policy,
    /// The answers and price in force.
    pub revision: Revision,
    /// The product they were rated by.
    pub product: Arc<Product>,
}

impl PolicyContext {
    /// Whether it covers single trips, not a year.
    #[must_use]
    pub fn is_single_trip(&self) -> bool {
        self.revision
            .price
            .as_ref()
            .is_some_and(|price| price.per == Per::Trip)
    }

    /// What a whole term costs with the answers in force, pence, with tax and without charges.
    #[must_use]
    pub fn premium(&self) -> Pence {
        self.revision
            .price
            .as_ref()
            .map_or(Pence::ZERO, |price| price.taxed)
    }

    /// The charges beside the premium.
    #[must_use]
    pub fn charges(&self) -> &[Line] {
        self.revision
            .price
            .as_ref()
            .map_or(&[], |price| &price.charges)
    }
}

impl App {
    /// A policy of the caller's own.
    ///
    /// # Errors
    /// As [`access::owned_policy`].
    pub(in crate::app) fn own_policy(
        &self,
        tx: &impl Read,
        caller: &Caller,
        uuid: Uuid,
    ) -> Result<PolicyContext, AppError> {
        let (quote, policy) = access::owned_policy(tx, caller, uuid, self.clock.now())?;
        self.policy_context(tx, quote, policy)
    }

    pub(in crate::app) fn policy_context(
        &self,
        tx: &impl Read,
        quote: Quote,
        policy: Policy,
    ) -> Result<PolicyContext, AppError> {
        let revision = revision_of(tx, &quote, policy.revision)?;
        Ok(PolicyContext {
            product: self.products.by_hash(tx, &revision.product_hash)?,
            quote,
            policy,
            revision,
        })
    }

    /// A policy without a check of who may read it: for jobs, and where that was checked before.
    pub(in crate::app) fn policy_unchecked(
        &self,
        tx: &impl Read,
        uuid: Uuid,
    ) -> Result<PolicyContext, AppError> {
        let quote = tables::QUOTES.get(tx, &uuid)?.ok_or(AppError::NotFound)?;
        let policy = tables::POLICIES.get(tx, &uuid)?.ok_or(AppError::NotFound)?;
        self.policy_context(tx, quote, policy)
    }
}
