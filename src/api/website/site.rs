//! The shop's settings that every page of the website shows.

use std::sync::Arc;

use poem::Request;
use poem::web::Data;
use poem_openapi::OpenApi;

use crate::api::http::cached_json::CachedJson;
use crate::api::http::daily_cache::CacheKey;
use crate::api::http::error::ApiError;
use crate::api::schema::published::Data as Enveloped;
use crate::api::schema::site::Site;
use crate::app::{App, payments};
use crate::config::CreditGrantor;

pub struct Shell;

#[OpenApi]
impl Shell {
    /// Returns the shop's details that every page of the website shows.
    #[oai(path = "/api/v1/site", method = "get")]
    async fn site(
        &self,
        app: Data<&Arc<App>>,
        request: &Request,
    ) -> Result<CachedJson<Enveloped<Site>>, ApiError> {
        let make = || {
            let data = settings(&app);
            Ok(Enveloped { data })
        };
        let is_held = app.is_held();
        CachedJson::new(request, &app, CacheKey::Site { is_held }, make)
    }
}

/// Returns the settings that every page of the website shows.
pub(in crate::api) fn settings(app: &App) -> Site {
    let config = &app.config;
    let site = config.site.clone();
    Site {
        brand: site.brand,
        phone: site.phone,
        email: site.email,
        hours: site.hours,
        assistance_phone: site.assistance_phone,
        links: site.links,
        footer: site.footer,
        complaints: site.complaints,
        rating_badge: site.rating_badge,
        reviews_frame: site.reviews_frame,
        reviews_height: 28,
        tag_manager: config.tag_manager.clone(),
        production: config.is_production(),
        held: app.is_held(),
        login_redirect: config.accounts.login_redirect.clone(),
        providers: payments::offered_gateways(app)
            .iter()
            .map(|name| (*name).to_string())
            .collect(),
        card_providers: payments::card_gateways(app).map(str::to_string).collect(),
        insurer_grants_monthly: config.monthly.granted_by == Some(CreditGrantor::Insurer),
        renews_by_card: payments::can_store_cards(app),
        needs_town: payments::needs_town(app),
        cookie_name: config.cookies.name.clone(),
        titles: app.person.titles.clone(),
        countries: app.person.countries.clone(),
        password_rule: config.accounts.password,
    }
}
