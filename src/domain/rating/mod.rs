//! Works out a price from a product's tariff.

mod engine;
pub mod monthly;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

pub use monthly::{Monthly, monthly};

use super::answers::Answers;
use super::campaign::Campaign;
use super::errors::FieldErrors;
use super::money::Pence;
use super::product::Product;
use super::product::plan::FieldRef;
use super::term;
use crate::domain::answer_table::AnswerTable;

/// A line of a price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Name of the line.
    pub code: String,
    /// What the customer reads.
    pub label: String,
    /// What it adds, in pence; money off when negative.
    pub amount: Pence,
    /// Why it is what it is, such as free by a campaign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What a price is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Per {
    /// A year of cover.
    Year,
    /// Single trips.
    Trip,
}

/// A price and how it comes about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// The lines, the tax last; they add up to `taxed` exactly.
    pub lines: Vec<Line>,
    /// Charges beside the premium.
    pub charges: Vec<Line>,
    /// The premium before tax.
    pub net: Pence,
    /// Insurance premium tax.
    pub tax: Pence,
    /// The premium with tax.
    pub taxed: Pence,
    /// What the customer pays: the premium with tax, and the charges.
    pub total: Pence,
    /// Currency of the amounts.
    pub currency: String,
    /// What it is for.
    pub per: Per,
    /// First day of cover.
    pub inception: NaiveDate,
    /// Last day of cover.
    pub expiry: NaiveDate,
}

impl Price {
    /// The same premium with these charges beside it.
    #[must_use]
    pub fn charging(self, charges: &[Line]) -> Self {
        Self {
            total: self.taxed + charges.iter().map(|line| line.amount).sum(),
            charges: charges.to_vec(),
            ..self
        }
    }
}

/// The price of normalised answers, or which answers it lacks.
///
/// Each step of the tariff that changes the price leaves a line. Amounts are
/// whole pence; a fraction rounds half up, of money off as of money added.
pub fn price(
    product: &Product,
    answers: &Answers,
    today: NaiveDate,
    campaign: &Campaign,
) -> Result<Price, FieldErrors> {
    let plan = &product.plan;
    let sheet = AnswerTable::for_rating(plan, answers);
    let mut errors = FieldErrors::default();
    for place in &plan.tariff.needs {
        if sheet.at(*place, 0).is_missing() {
            missing(product, *place, 0, &mut errors);
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let term = term::of(product, &sheet, today);
    let mut engine = engine::Engine::new(plan, &sheet, term.inception, campaign);
    for step in &plan.tariff.steps {
        if let Err((place, row)) = engine.step(step) {
            missing(product, place, row, &mut errors);
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let net = engine.net();
    let (mut lines, charges) = engine.into_lines();
    let tax = net.share(plan.tariff.tax, 10_000);
    lines.push(Line {
        code: "tax".into(),
        label: plan.tariff.tax_label.clone(),
        amount: tax,
        note: None,
    });
    let taxed = net + tax;
    Ok(Price {
        total: taxed + charges.iter().map(|line| line.amount).sum(),
        lines,
        charges,
        net,
        tax,
        taxed,
        currency: product.info().currency.clone(),
        per: if term.single_trip {
            Per::Trip
        } else {
            Per::Year
        },
        inception: term.inception,
        expiry: term.expiry,
    })
}

/// Says at the answer's path that the price needs it.
fn missing(product: &Product, place: FieldRef, row: usize, errors: &mut FieldErrors) {
    let FieldRef::Cell { dataset, .. } = place else {
        return;
    };
    let dataset = product.plan.datasets.get(dataset);
    if let Some((dataset, field)) = dataset.zip(product.plan.field(place)) {
        let path = if dataset.multi {
            format!("{}.{row}.{}", dataset.name, field.name)
        } else {
            field.name.clone()
        };
        if errors.first(&path).is_none() {
            errors.add(path, field.missing.clone());
        }
    }
}
