//! Decides whether cover is sold at once, referred to a person, or declined.

use crate::domain::policy::term::{Term, date};
use crate::domain::product::Product;
use crate::domain::product::rules::{RuleOutcome, UnderwritingRule};
use crate::domain::quote::answer_table::AnswerTable;
use crate::domain::quote::answers::Answers;
use crate::domain::time::dates::add_months;

/// The decision of underwriting. The text is the reason for the customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Cover can be bought.
    Accept,
    /// A person must decide.
    Refer(String),
    /// Cover is not sold.
    Decline(String),
}

/// The kind of business: new or existing cover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Business<'a> {
    /// A customer buys new cover.
    New,
    /// A policyholder changes or renews existing cover, which has these answers.
    Held(&'a Answers),
}

/// Decides by the product's rules over normalised answers. A rule that declines has priority over a
/// rule that refers. Among rules with equal outcomes, the first that applies gives the reason.
/// `phone` replaces `{phone}` in the reason.
pub fn decide(
    product: &Product,
    answers: &Answers,
    term: &Term,
    business: Business<'_>,
    phone: &str,
) -> Decision {
    let table = AnswerTable::read(&product.compiled, answers);
    let applying = |outcome| {
        let rules = product.compiled.underwriting.iter();
        let mut rules = rules.filter(|rule| rule.outcome == outcome);
        let rule = rules.find(|rule| {
            applies(rule, &table, term, &|row| {
                rule.new_business_only && is_held(product, rule, answers, row, business)
            })
        })?;
        Some(rule.reason.replace("{phone}", phone))
    };
    if let Some(reason) = applying(RuleOutcome::Decline) {
        return Decision::Decline(reason);
    }
    applying(RuleOutcome::Refer).map_or(Decision::Accept, Decision::Refer)
}

/// Returns whether an instance, such as a vehicle, is already covered. The held instance must have
/// an equal answer at the field of `older_than`. Without `older_than`, all answers must be equal. A
/// rule without `each` exempts all existing cover.
fn is_held(
    product: &Product,
    rule: &UnderwritingRule,
    answers: &Answers,
    row: usize,
    business: Business<'_>,
) -> bool {
    let Business::Held(held) = business else {
        return false;
    };
    let dataset = rule
        .each
        .and_then(|each| product.compiled.datasets.get(each));
    let Some(dataset) = dataset else {
        return true;
    };
    let measured = rule
        .older_than
        .and_then(|(field_ref, _)| product.compiled.field(field_ref));
    let rows = held.rows(&dataset.name);
    answers
        .rows(&dataset.name)
        .get(row)
        .is_some_and(|now| match measured {
            Some(field) => rows
                .iter()
                .any(|row| row.get(&field.name) == now.get(&field.name)),
            None => rows.contains(now),
        })
}

/// Returns whether a rule applies to any instance. `spared` returns whether an instance is exempt, because it
/// is already covered.
fn applies(
    rule: &UnderwritingRule,
    table: &AnswerTable,
    term: &Term,
    spared: &impl Fn(usize) -> bool,
) -> bool {
    let rows = rule.each.map_or(1, |dataset| table.rows(dataset));
    (0..rows).any(|row| {
        let older = rule.older_than.is_none_or(|(field_ref, months)| {
            date(table, field_ref, row)
                .is_some_and(|from| add_months(from, months) < term.inception)
        });
        older && table.holds(rule.when.as_ref(), row) && !spared(row)
    })
}
