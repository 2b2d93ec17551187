//! Early decisions: referrals and declines at the answer that causes them, before the form is
//! complete.

use serde::Serialize;

use crate::domain::policy::term::{Term, date};
use crate::domain::product::Product;
use crate::domain::product::compiled::{FieldRef, Rule};
use crate::domain::product::condition::Condition;
use crate::domain::product::rules::{RuleOutcome, UnderwritingRule};
use crate::domain::quote::answer_table::AnswerTable;
use crate::domain::quote::answers::Answers;
use crate::domain::time::dates::add_months;
use crate::json_schema::ResponseSchema;

/// A decision of underwriting against a customer that no later answer changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
pub struct EarlyDecision {
    /// The form's dotted path of the answer that decides. For a number of instances: the dataset.
    pub path: String,
    /// Whether underwriting refers or declines.
    pub outcome: RuleOutcome,
    /// The reason for the customer.
    pub reason: String,
}

/// Returns the decisions that the normalised answers cause for a new customer. A missing answer
/// that can still be given causes no decision. Each answer gets only the decision of the first rule
/// that applies. Rules that decline come before rules that refer. `phone` replaces `{phone}` in a
/// reason.
pub fn decide_early(
    product: &Product,
    answers: &Answers,
    term: &Term,
    phone: &str,
) -> Vec<EarlyDecision> {
    let look = Look {
        product,
        table: &AnswerTable::read(&product.compiled, answers),
        term,
    };
    let mut found: Vec<EarlyDecision> = Vec::new();
    let rules = product.compiled.underwriting.iter();
    let deciding = |outcome| rules.clone().filter(move |rule| rule.outcome == outcome);
    for rule in deciding(RuleOutcome::Decline).chain(deciding(RuleOutcome::Refer)) {
        let rows = rule.each.map_or(1, |dataset| look.table.rows(dataset));
        let decided = (0..rows).filter_map(|row| look.path(look.deciding_field(rule, row)?, row));
        for path in decided {
            if !found.iter().any(|candidate| candidate.path == path) {
                found.push(EarlyDecision {
                    path,
                    outcome: rule.outcome,
                    reason: rule.reason.replace("{phone}", phone),
                });
            }
        }
    }
    found
}

struct Look<'a> {
    product: &'a Product,
    table: &'a AnswerTable<'a>,
    term: &'a Term,
}

impl<'a> Look<'a> {
    /// Returns the field that makes a rule apply to an instance, or `None` if the rule does not
    /// apply. Of several fields, returns the last in the form.
    fn deciding_field(&self, rule: &UnderwritingRule, row: usize) -> Option<FieldRef> {
        let older = match rule.older_than {
            Some((field_ref, months)) => {
                let from = date(self.table, field_ref, row)?;
                if add_months(from, months) >= self.term.inception {
                    return None;
                }
                Some(field_ref)
            }
            None => None,
        };
        let applies = match &rule.when {
            Some(when) if self.evaluate_rule(when, row) != Some(true) => return None,
            Some(when) => self.last_field(when, row),
            None => None,
        };
        older.into_iter().chain(applies).max_by_key(order)
    }

    /// Returns whether a condition holds, or `None` if this depends on an answer that can still be
    /// given.
    fn evaluate_rule(&self, rule: &Rule, row: usize) -> Option<bool> {
        match rule {
            Condition::Field(field_ref, test) => {
                let answer = self.table.answer(*field_ref, row);
                let open = answer.is_missing() && self.is_asked(*field_ref, row);
                (!open).then(|| test.passes(answer))
            }
            Condition::All(parts) => every(parts.iter().map(|part| self.evaluate_rule(part, row))),
            Condition::Any(parts) => {
                let failing = parts
                    .iter()
                    .map(|part| self.evaluate_rule(part, row).map(|t| !t));
                every(failing).map(|none| !none)
            }
            Condition::Not(part) => self.evaluate_rule(part, row).map(|truth| !truth),
        }
    }

    /// Returns the field that makes a condition hold. Of several fields, returns the last field in
    /// the form. In `Any`, only the first part that holds counts.
    fn last_field(&self, rule: &Rule, row: usize) -> Option<FieldRef> {
        let last_in = |part: &Rule| self.last_field(part, row);
        match rule {
            Condition::Field(field_ref, _) => Some(*field_ref),
            Condition::All(parts) => parts.iter().filter_map(last_in).max_by_key(order),
            Condition::Any(parts) => {
                let mut holding = parts
                    .iter()
                    .filter(|part| self.evaluate_rule(part, row) == Some(true));
                holding.next().and_then(last_in)
            }
            Condition::Not(part) => last_in(part),
        }
    }

    /// Returns whether a field is visible, so that its answer can still be given.
    fn is_asked(&self, field_ref: FieldRef, row: usize) -> bool {
        let FieldRef::Cell { dataset, .. } = field_ref else {
            return false;
        };
        let field = self.product.compiled.field(field_ref);
        self.table.rows(dataset) > 0
            && field.is_some_and(|field| self.table.holds(field.visible_when.as_ref(), row))
    }

    fn path(&self, field_ref: FieldRef, row: usize) -> Option<String> {
        let dataset = match field_ref {
            FieldRef::Cell { dataset, .. } | FieldRef::Count(dataset) => dataset,
        };
        let dataset = self.product.compiled.datasets.get(dataset)?;
        Some(match self.product.compiled.field(field_ref) {
            None => dataset.name.clone(),
            Some(field) if dataset.multi => format!("{}.{row}.{}", dataset.name, field.name),
            Some(field) => field.name.clone(),
        })
    }
}

/// Returns whether all are true. Returns `None` if none is false and at least one is unknown.
fn every(truths: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for truth in truths {
        match truth {
            Some(false) => return Some(false),
            None => all = None,
            Some(true) => {}
        }
    }
    all
}

/// Returns the position of a field in the form. A count follows all fields of its dataset.
fn order(field_ref: &FieldRef) -> (usize, usize) {
    match field_ref {
        FieldRef::Cell { dataset, field } => (*dataset, *field),
        FieldRef::Count(dataset) => (*dataset, usize::MAX),
    }
}
