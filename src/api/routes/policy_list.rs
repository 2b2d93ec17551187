//! The list of a user's own policies, quotes and renewal quotes.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Query;

use crate::api::http::auth::Auth;
use crate::api::http::error::ApiError;
use crate::api::http::paging::page_of;
use crate::api::http::payload::JsonResponse;
use crate::app::quotes::list::{ListPage, ListQuery, SortBy};
use crate::app::{App, AppError, quotes};
use crate::domain::product::form::errors::FieldErrors;

/// Rows on a page if the request sets no limit (part 9 of the specification).
const USUAL_PAGE: usize = 10;
/// The only flag.
const RENEWAL: &str = "renewal_quote";

pub struct ListRoutes;

#[OpenApi]
impl ListRoutes {
    /// Returns a page of the logged-in user's own policies and quotes.
    #[oai(path = "/api/v2/policy/list", method = "get")]
    #[allow(clippy::too_many_arguments)]
    async fn list(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        /// The number of the page. 0 and 1 both select the first page.
        page: Query<Option<i64>>,
        /// The number of rows on a page, from 1 to 100. The default is 10.
        limit: Query<Option<i64>>,
        /// The column that sorts the rows: `id` (the default), `custom_id`, `status_id`, `holder_name`,
        /// `date_created`, `date_inception`, `date_quote_expiry`, `date_expiry` or `amount_total`.
        #[oai(name = "sortBy")]
        sort_by: Query<Option<String>>,
        /// Whether the largest value comes first. The default is true.
        desc: Query<Option<bool>>,
        /// A product's id or identifier.
        #[oai(name = "productID")]
        product: Query<Option<String>>,
        /// A part of the reference of a quote or policy.
        #[oai(name = "policyID")]
        reference: Query<Option<String>>,
        /// A part of the policyholder's name.
        #[oai(name = "policyHolder")]
        holder: Query<Option<String>>,
        /// Status ids. The default is every status. A policy that was undone has the id 8 here, and not 14.
        #[oai(name = "quoteStatus[]")]
        statuses: Query<Option<Vec<u32>>>,
        /// `renewal_quote` selects renewal quotes and the policies that they became.
        #[oai(name = "flags[]")]
        flags: Query<Option<Vec<String>>>,
        /// `renewal_quote` leaves out renewal quotes and the policies that they became.
        #[oai(name = "exclude_flags[]")]
        exclude: Query<Option<Vec<String>>>,
    ) -> Result<JsonResponse<ListPage>, ApiError> {
        let mut errors = FieldErrors::default();
        let (page, limit) = page_of((page.0, limit.0), USUAL_PAGE, &mut errors);
        let sort_by = match sort_by.0.as_deref().filter(|name| !name.is_empty()) {
            None => SortBy::Id,
            Some(name) => SortBy::parse(name).unwrap_or_else(|| {
                let columns: Vec<_> = SortBy::NAMES.iter().map(|(name, _)| *name).collect();
                errors.add("sortBy", format!("Sort by one of {}.", columns.join(", ")));
                SortBy::Id
            }),
        };
        let renewal = match (
            parse_flag(flags.0, "flags[]", &mut errors),
            parse_flag(exclude.0, "exclude_flags[]", &mut errors),
        ) {
            (true, true) => {
                errors.add("exclude_flags[]", "A flag can't be wanted and excluded.");
                None
            }
            (true, false) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        if !errors.is_empty() {
            return Err(AppError::Invalid(errors).into());
        }
        let product = product.0.filter(|product| !product.trim().is_empty());
        let query = ListQuery {
            page,
            limit,
            sort_by,
            descending: desc.0.unwrap_or(true),
            // A product that is not on sale is found only by its identifier, not by its id.
            product: product.map(
                |product| match app.products.find(&product, app.clock.today()) {
                    Ok(registered) => registered.product.identifier().to_string(),
                    Err(_) => product,
                },
            ),
            reference: reference.0,
            holder: holder.0,
            statuses: statuses.0.unwrap_or_default().into_iter().collect(),
            renewal,
        };
        JsonResponse::new(quotes::list_page(&app, &who.0, query).await?)
    }
}

fn parse_flag(values: Option<Vec<String>>, name: &str, errors: &mut FieldErrors) -> bool {
    let values = values.unwrap_or_default();
    if values.iter().any(|flag| flag != RENEWAL) {
        errors.add(name, format!("The only flag is {RENEWAL}."));
    }
    values.iter().any(|flag| flag == RENEWAL)
}
