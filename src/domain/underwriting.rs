//! Whether cover is sold at once, looked at by a person, or declined.

use super::answers::Answers;
use super::dates::add_months;
use super::product::Product;
use super::product::rules::UnderwritingRule;
use super::sheet::Sheet;
use super::term::{Term, date};

/// What underwriting decides; the text is the reason for the customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It can be bought.
    Accept,
    /// A person decides.
    Refer(String),
    /// It can't be bought.
    Decline(String),
}

/// Whom underwriting is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Business {
    /// Somebody who buys cover.
    #[default]
    New,
    /// Somebody who holds it, and changes or renews it.
    Held,
}

/// Decides by the product's rules over normalised answers. A rule that
/// declines outweighs any that refers; otherwise the first that applies says
/// why. `phone` fills the `{phone}` of a reason.
pub fn decide(
    product: &Product,
    answers: &Answers,
    term: &Term,
    business: Business,
    phone: &str,
) -> Decision {
    let sheet = Sheet::read(&product.plan, answers);
    let applying = |refer: bool| {
        let rules = product.plan.underwriting.iter();
        let mut rules = rules.filter(|rule| {
            rule.refer == refer && (business == Business::New || !rule.new_business_only)
        });
        let rule = rules.find(|rule| applies(rule, &sheet, term))?;
        Some(rule.reason.replace("{phone}", phone))
    };
    if let Some(reason) = applying(false) {
        return Decision::Decline(reason);
    }
    applying(true).map_or(Decision::Accept, Decision::Refer)
}

fn applies(rule: &UnderwritingRule, sheet: &Sheet, term: &Term) -> bool {
    let rows = rule.each.map_or(1, |dataset| sheet.rows(dataset));
    (0..rows).any(|row| {
        let older = rule.older_than.is_none_or(|(place, months)| {
            date(sheet, place, row).is_some_and(|from| add_months(from, months) < term.inception)
        });
        older && sheet.holds(rule.when.as_ref(), row)
    })
}
