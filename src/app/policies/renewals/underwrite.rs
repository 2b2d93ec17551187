//! Underwrites a renewal by the newest product file.

use chrono::{DateTime, NaiveDate, Utc};

use crate::app::AppError;
use crate::app::policies::PolicyContext;
use crate::app::products::ProductRegistry;
use crate::app::quotes::underwrite::Assessed;
use crate::app::quotes::{self, Submission};
use crate::config::Config;
use crate::domain::policy::term;
use crate::domain::product::Product;
use crate::domain::product::compiled::CompiledDataset;
use crate::domain::quote::answers::Answers;
use crate::domain::time::dates;

/// Underwrites `answers` for the next year by the newest product file. Returns a draft if the answers
/// are not valid by this file. For example, the file may ask a new question.
pub(in crate::app) fn underwrite_renewal(
    config: &Config,
    products: &ProductRegistry,
    context: &PolicyContext,
    answers: &Answers,
    now: DateTime<Utc>,
) -> Result<Assessed, AppError> {
    let starts = dates::add_days(context.policy.expiry, 1);
    let product = &products
        .find(&context.quote.product, dates::london_date(now))?
        .product;
    let submission = Submission {
        product: context.quote.product.clone(),
        answers: answers_for_term_from(product, answers, starts),
        renews: Some(context.scheduled_answers().clone()),
        ..Submission::default()
    };
    let mut assessed = match quotes::underwrite(config, products, submission.clone(), now) {
        // The newest file may ask a new question. The customer must complete the draft.
        Err(AppError::Invalid(_)) => {
            let draft = true;
            quotes::underwrite(
                config,
                products,
                Submission {
                    draft,
                    ..submission
                },
                now,
            )?
        }
        assessed => assessed?,
    };
    // The letter about the renewal replaces the letter about a saved quote.
    assessed.mail_at = None;
    Ok(assessed)
}

/// Returns the answers of a policy for cover that begins on `starts`. Removes the agreements of the
/// purchase, because the customer gave them for the earlier contract only.
pub(in crate::app) fn answers_for_term_from(
    product: &Product,
    answers: &Answers,
    starts: NaiveDate,
) -> Answers {
    let mut answers = answers.clone();
    let agreement = |dataset: &&CompiledDataset| dataset.fields.iter().any(|field| field.at_accept);
    let datasets = product.compiled.datasets.iter().filter(agreement);
    for field in datasets.flat_map(|dataset| &dataset.fields) {
        answers.values.remove(&field.name);
    }
    if let Some(field) = term::start_field(product) {
        let start = dates::form_date(starts).into();
        answers.values.insert(field.to_string(), start);
    }
    answers
}
