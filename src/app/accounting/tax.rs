//! Recalculates a policy's tax from the answers of its sale and its changes, and from its refunds
//! and cancellation.

use chrono::NaiveDate;

use crate::app::payments::refunds::unrefunded::refunds_about;
use crate::app::products::ProductRegistry;
use crate::app::quotes::revision_of;
use crate::app::{AppError, policies};
use crate::domain::money::Pence;
use crate::domain::money::price::Price;
use crate::domain::policy::Policy;
use crate::domain::policy::adjustment::{self, AdjustmentKind, AdjustmentStatus};
use crate::domain::policy::cancellation::return_premium::is_all;
use crate::domain::product::Product;
use crate::domain::product::rating;
use crate::domain::quote::Quote;
use crate::domain::quote::answers::Answers;
use crate::domain::quote::campaign::Campaign;
use crate::store::Read;

/// Returns the tax that a policy's ledger should have, in pence. The inner error describes why the
/// policy's rows give no tax.
pub(super) fn policy_tax(
    tx: &impl Read,
    products: &ProductRegistry,
    quote: &Quote,
    policy: &Policy,
) -> Result<Result<Pence, String>, AppError> {
    let mut changes = policies::adjustments::adjustments(tx, policy.uuid)?;
    changes.retain(|change| change.status == AdjustmentStatus::Applied);
    changes.sort_by_key(|change| change.revision);
    let first = changes
        .first()
        .map_or(policy.revision, |change| change.base);
    let sold = revision_of(tx, quote, first)?;
    let product = match products.by_hash(tx, &sold.product_hash) {
        Ok(product) => product,
        Err(error) => return Ok(Err(error.log_text())),
    };
    let campaign = &quote.origin.tracking;
    let Some(price) = &sold.price else {
        return Ok(Err("it was sold without a price".to_string()));
    };
    let start = price.inception;
    let Some(rated) = rate(&product, &sold.answers, start, campaign, price) else {
        return Ok(Err(format!(
            "its answers don't make the price it was sold at, {}",
            price.total
        )));
    };
    let (mut tax, mut before) = (rated.tax, rated.taxed);
    for change in &changes {
        let start = policy.inception;
        let Some(rated) = rate(&product, &change.answers, start, campaign, &change.price) else {
            return Ok(Err(format!(
                "the answers of its change {} don't make its price",
                change.id
            )));
        };
        let due = adjustment::figures(policy, before, rated.taxed, change.effective, product.tax());
        tax += match AdjustmentKind::from_amount(due.amount) {
            AdjustmentKind::Keep => Pence::ZERO,
            AdjustmentKind::Increase => due.tax,
            AdjustmentKind::Decrease => {
                let back = refunds_about(tx, policy.uuid, change.id)?;
                let back: Pence = back.iter().map(|refund| refund.amount).sum();
                let spread = change.spread.as_ref();
                let lowered = spread.map(|spread| -spread.plan_difference(due.amount));
                let back = back + lowered.unwrap_or_default();
                -back.fraction(-due.tax.0, -due.amount.0)
            }
        };
        before = rated.taxed;
    }
    if let Some(cancelled) = &policy.cancellation {
        let back = &cancelled.refund;
        if is_all(back) {
            if back.amount > Pence::ZERO || back.plan.is_some() {
                tax = Pence::ZERO;
            }
        } else {
            tax -= product.tax().included_in(back.premium);
            tax -= back.plan.map_or(Pence::ZERO, |rest| rest.tax);
        }
    }
    tax -= policies::plans::written_off(tx, quote, policy)?.1;
    Ok(Ok(tax))
}

/// Returns the price of the answers if its premium and tax equal those of `price`. Returns `None`
/// if premium or tax differ, or if the answers have no price. A campaign belongs to the quote, so
/// it applies to every revision of the quote.
fn rate(
    product: &Product,
    answers: &Answers,
    start: NaiveDate,
    campaign: &Campaign,
    price: &Price,
) -> Option<Price> {
    let rated = rating::price(product, answers, start, campaign).ok()?;
    ((rated.taxed, rated.tax) == (price.taxed, price.tax)).then_some(rated)
}
