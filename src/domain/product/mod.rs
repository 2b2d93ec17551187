//! A product is data: form, steps, tariff, underwriting rules, texts and terms. The module `file` reads a
//! product from one TOML file.

pub(crate) mod compiled;
pub mod condition;
pub mod exclusions;
pub mod field_kind;
pub mod field_lookup;
pub mod fields;
pub mod file;
pub mod first_page;
pub mod form;
pub(crate) mod form_json;
pub mod info;
pub mod rating;
pub(crate) mod rules;
pub mod stepper;
pub(crate) mod tariff;
pub mod texts;
pub mod underwriting;

use chrono::NaiveDate;
use indexmap::IndexMap;

pub use field_kind::FieldKind;
pub use fields::{Dataset, DateLimit, Field, Form};
pub use info::{Info, Offer};
pub use rules::Terms;
pub use stepper::StepperData;
pub use texts::Texts;

use crate::domain::money::premium_tax::PremiumTax;
use crate::domain::product::condition::Scalar;
use crate::domain::quote::campaign::Campaign;
use compiled::{CompiledDataset, CompiledField, FieldRef, Rule, StartValue};
use form_json::FormJson;
use rules::{CompiledLine, MonthlyTerms, TermFields, UnderwritingRule};
use tariff::Tariff;

/// A product, read from its file and compiled.
#[derive(Clone, Debug)]
pub struct Product {
    pub(crate) form: Form,
    pub(crate) form_json: FormJson,
    pub(super) info: Info,
    pub(super) stepper: StepperData,
    pub(super) terms: Terms,
    pub(super) texts: Texts,
    pub(crate) compiled: CompiledProduct,
}

/// The compiled parts, for checking, rating and underwriting.
#[derive(Clone, Debug)]
pub(crate) struct CompiledProduct {
    pub datasets: Vec<CompiledDataset>,
    pub term: TermFields,
    pub tariff: Tariff,
    pub monthly: Option<MonthlyTerms>,
    pub underwriting: Vec<UnderwritingRule>,
    pub summary: Vec<CompiledLine>,
    pub needs: Vec<CompiledLine>,
    /// Condition of each exclusion. `None` means that the exclusion always applies.
    pub exclusions: Vec<Option<Rule>>,
}

impl CompiledProduct {
    /// Returns a field by its position, or `None` for a count.
    pub fn field(&self, field_ref: FieldRef) -> Option<&CompiledField> {
        match field_ref {
            FieldRef::Cell { dataset, field } => self.datasets.get(dataset)?.fields.get(field),
            FieldRef::Count(_) => None,
        }
    }
}

impl Product {
    /// Returns the form before any answer. Default dates that depend on the day are null.
    /// [`Product::form_for`] fills them in.
    pub fn form(&self) -> Form {
        self.form_on(self.info.effective_from, false)
    }

    /// Returns the form before any answer on the day `today`, with that day's default dates.
    pub fn form_for(&self, today: NaiveDate) -> Form {
        self.form_on(today, true)
    }

    fn form_on(&self, today: NaiveDate, moving: bool) -> Form {
        let mut form = self.form.clone();
        let unanswered = |_: &FieldRef| Scalar::Missing;
        for (dataset, compiled) in form.datasets.iter_mut().zip(&self.compiled.datasets) {
            let nothing = &unanswered;
            dataset.visible = compiled
                .visible_when
                .as_ref()
                .is_none_or(|rule| rule.holds(nothing));
            for (field, compiled) in dataset.fields.iter_mut().zip(&compiled.fields) {
                let holds = compiled
                    .visible_when
                    .as_ref()
                    .is_none_or(|rule| rule.holds(nothing));
                field.visible = dataset.visible && holds && !compiled.force_hidden;
                let moving_start = match &compiled.default {
                    Some(StartValue::Date(limit)) => Some(*limit),
                    _ => None,
                };
                for (published, limit) in [
                    (&mut field.validation.min_date, compiled.min_date),
                    (&mut field.validation.max_date, compiled.max_date),
                    (&mut field.default_from, moving_start),
                ] {
                    if let (Some(published), Some(limit)) = (published.as_mut(), limit) {
                        published.days = (limit.after(today) - today).num_days();
                    }
                }
                if let (true, Some(start @ StartValue::Date(_))) = (moving, &compiled.default) {
                    let value = start.value(today, nothing);
                    field.default = value.clone();
                    field.value = value;
                }
            }
        }
        form
    }

    /// Returns the data about the product for the website.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// Returns, for each tariff step that a campaign can make free, whether `campaign` makes it
    /// free. No other data about the source of a visitor changes a price.
    pub fn waived_lines(&self, campaign: &Campaign) -> Vec<bool> {
        let free = self
            .compiled
            .tariff
            .steps
            .iter()
            .filter_map(|step| step.free.as_ref());
        free.map(|free| free.holds(campaign)).collect()
    }

    /// Returns the extras that `campaign` makes free.
    pub fn offers(&self, campaign: &Campaign) -> Vec<&Offer> {
        let free = self.compiled.tariff.steps.iter().filter(|step| {
            let free = step.free.as_ref();
            free.is_some_and(|free| free.holds(campaign))
        });
        let codes: Vec<_> = free.map(|step| &step.code).collect();
        let offers = self.info.offers.iter();
        offers
            .filter(|offer| codes.contains(&&offer.code))
            .collect()
    }

    pub fn stepper(&self) -> &StepperData {
        &self.stepper
    }

    /// Returns the stepper with the steps of one context, or `None` if the context doesn't exist.
    pub fn stepper_in(&self, context: &str) -> Option<StepperData> {
        let mut stepper = self.stepper.clone();
        stepper.product_steps.retain(|other, _| other == context);
        if stepper.product_steps.is_empty() {
            return None;
        }
        stepper.default = context.to_owned();
        Some(stepper)
    }

    pub fn id(&self) -> u32 {
        self.form.product_id
    }

    pub fn identifier(&self) -> &str {
        &self.form.product_identifier
    }

    /// Returns the version of the product file.
    pub fn version(&self) -> &str {
        &self.info.version
    }

    /// Returns the first day on which new quotes use this version.
    pub fn effective_from(&self) -> NaiveDate {
        self.info.effective_from
    }

    pub fn reference_prefix(&self) -> &str {
        &self.info.reference_prefix
    }

    /// Returns the maximum length of an affiliate's list, at least 1. The length is the largest sum
    /// of an entry's instance count and `more`.
    pub fn affiliate_entries(&self, counts: &IndexMap<String, usize>) -> usize {
        let count = |name: &str| {
            let mut datasets = self.compiled.datasets.iter();
            let dataset = datasets.find(|dataset| dataset.name == name)?;
            counts.get(dataset.count_field.as_ref()?).copied()
        };
        let entries = self.info.affiliates.iter();
        let entries = entries.map(|entry| count(&entry.dataset).unwrap_or(0) + entry.more);
        entries.max().unwrap_or(0).max(1)
    }

    /// Returns the texts of the documents.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Returns the insurance premium tax of the tariff.
    pub fn tax(&self) -> PremiumTax {
        self.compiled.tariff.tax
    }

    /// Returns the life-cycle terms.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }
}
