//! Builds the response for a quote, or for the policy that the quote became.

use std::sync::Arc;

use crate::api::http::error::ApiError;
use crate::api::http::payload::{DataResponse, JsonResponse};
use crate::api::schema::exclusion::OpenExclusion;
use crate::api::schema::quote_read::{
    AggregatorInfo, QuoteDates, QuoteFlags, QuoteInfo, QuotePrice, QuoteRead, VersionInfo,
};
use crate::api::schema::raw_json::RawJson;
use crate::app::policies::PolicyInfo;
use crate::app::policies::plans::PlanOffer;
use crate::app::quotes::read::QuoteView;
use crate::app::{App, AppError, partners, payments};
use crate::domain::payment::PaymentFrequency;
use crate::domain::product::{form, rating};
use crate::domain::quote::answer_table::AnswerTable;
use crate::domain::quote::{StatusId, exclusions, summary};

/// Initial capacity of a form's state, bytes.
const USUAL_FORM: usize = 8 << 10;

/// The extra parts of the response beside the quote.
#[derive(Default)]
pub(in crate::api) struct QuoteExtras {
    /// The policy. Only the routes that read policies set `policy`.
    pub(in crate::api) policy: Option<PolicyInfo>,
    pub(in crate::api) token: Option<String>,
    /// For a partner: the address that the partner's customer opens.
    pub(in crate::api) click_through: Option<String>,
}

/// Returns the response for `view`.
pub(in crate::api) fn answer_with(
    app: &App,
    view: QuoteView,
    extras: QuoteExtras,
) -> Result<DataResponse<QuoteRead>, ApiError> {
    JsonResponse::data(quote_read(app, view, extras)?)
}

/// Converts `view` to the JSON type of the response. Copies the answers only if they are shared.
pub(in crate::api) fn quote_read(
    app: &App,
    view: QuoteView,
    extras: QuoteExtras,
) -> Result<QuoteRead, ApiError> {
    let aggregator = partners::partner(&app.config, &view.quote).map(|partner| AggregatorInfo {
        id: partner.id,
        name: partner.name.clone(),
        identifier: partner.identifier.clone(),
        logo_url: partner.logo_url.clone(),
    });
    let QuoteView {
        quote,
        status,
        buyable,
        sold,
        product,
        basis,
        policy,
        notices,
        ownership,
    } = view;
    let revision = sold.unwrap_or(quote.current);
    let price = revision.price.as_ref().filter(|_| buyable);
    let plan = price.and_then(|price| rating::monthly_plan(&product, price, app.clock.today()));
    let plan = plan.filter(|_| payments::offers_card_storage(app));
    let accepted = quote.accepted.as_ref();
    let auto_renew = accepted.and_then(|accepted| accepted.consent.as_ref());
    let auto_renew = auto_renew.is_some_and(|consent| consent.covers_renewals);
    let frequency = accepted.map_or(PaymentFrequency::Annual, |accepted| accepted.frequency);
    let accepted = accepted.is_some_and(|accepted| accepted.revision == revision.number);
    let bought = policy.is_some();
    let mut form = Vec::with_capacity(USUAL_FORM);
    let table = AnswerTable::read(&product.compiled, &revision.answers);
    form::write_state(&product, &table, bought, &mut form)
        .map_err(|error| AppError::internal("a form can't be written", error))?;
    let summary = summary::summarise_table(&product, &table);
    let open = bought.then(|| exclusions::open(&product, &table));
    let exclusions = open.into_iter().flatten();
    let exclusions = exclusions.map(|exclusion| {
        OpenExclusion::new(
            exclusion,
            quote.exclusion_answers.get(&exclusion.id).copied(),
        )
    });
    let exclusions = Vec::from_iter(exclusions);
    let counts: Vec<_> = form::instance_counts(&product, &revision.answers)
        .map(|(name, count)| (name.to_string(), count.into()))
        .collect();
    let answers = Arc::unwrap_or_clone(revision.answers);
    let mut values = answers.values;
    values.extend(counts);
    let info = product.info();
    Ok(QuoteRead {
        form: RawJson(form),
        info: QuoteInfo {
            uuid: quote.uuid,
            product_identifier: quote.product,
            product_title: info.product_title.clone(),
            product_short_title: info.product_short_title.clone(),
            custom_id: quote.reference.clone(),
            quote_policy_id: quote.reference,
            status_id: StatusId(status),
            status_title: status.title(),
            reason: quote.reason,
            holder_name: quote.holder_name,
            dates: QuoteDates {
                created: quote.created,
                inception: revision.inception,
                expiry: revision.expiry,
                quote_expiry: quote.expires.filter(|_| !bought),
                cover_begins: policy.map(|policy| policy.cover_begins),
            },
            revision_id: revision.number,
            price: revision.price.map(|price| QuotePrice::from((price, basis))),
            flags: QuoteFlags {
                buyable,
                accepted,
                renewal_quote: quote.renews.is_some(),
                policy: bought,
            },
            aggregator,
            source_tracking: quote.origin.tracking,
            consumer_token: extras.token,
            account: ownership,
            summary,
            notices,
        },
        multi: answers.multi,
        values,
        versions: quote
            .versions
            .iter()
            .map(|version| VersionInfo {
                policy_revision_id: version.number,
                date_revision: version.at,
                amount_total: version.amount,
            })
            .collect(),
        exclusion_answers: quote.exclusion_answers,
        auto_renew,
        payment_frequency: frequency.word(),
        plan: plan.as_ref().map(PlanOffer::from),
        exclusions,
        policy: extras.policy,
        click_through: extras.click_through,
    })
}
