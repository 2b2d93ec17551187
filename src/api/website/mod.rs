//! The website: the files of `ui/dist`, embedded in the binary, and its routes.

pub(super) mod files;
pub(crate) mod landing_page;
pub(super) mod pages;
pub(crate) mod robots;
pub(crate) mod site;
pub(super) mod template;
pub(super) mod typeface;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use chrono::NaiveDate;
use poem::http::header::{ACCEPT, ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderMap};
use poem::http::{HeaderValue, Method, StatusCode};
use poem::{Endpoint, PathPattern, Request, Response, Result};
use rust_embed::RustEmbed;

use crate::api::http::daily_cache::{CacheKey, DailyCache};
use files::{ASK_AGAIN, ENCODINGS, File};
use pages::{CARD, COVER, FRONT, RESCUE_CARD, UNKNOWN, matches_pattern};
use template::{HtmlHead, Template};

pub use pages::PAGES;

/// The files that `build.rs` built from `ui/`.
#[derive(RustEmbed)]
#[folder = "ui/dist"]
#[exclude = ".*"]
struct Embedded;

/// Serves the website: its files, the rescue card, and `index.html` for every route of the website. Every
/// other address without a file extension gets `index.html` with status 404 if the request accepts HTML.
pub struct Website {
    files: BTreeMap<String, File>,
    on_sale: Box<OnSale>,
    /// `None` if the page is served as it was built.
    prerendered: Option<PrerenderedPage>,
}

/// The page with its first content at each address.
struct PrerenderedPage {
    template: Template,
    beginnings: Box<dyn HtmlHeads>,
    cache: Arc<DailyCache>,
}

/// Provides the head and first content of a page.
pub(super) trait HtmlHeads: Send + Sync + 'static {
    /// Returns the day, a flag for each line of the price, and whether the shop is held, which are parts of
    /// the cache key. A line's flag is true if the campaign in `query` makes the line free.
    fn cache_key(
        &self,
        page: &PageRequest<'_>,
        query: Option<&str>,
    ) -> (NaiveDate, Vec<bool>, bool);

    /// Returns the head of a page for the campaign in `query`.
    fn html_head(&self, page: &PageRequest<'_>, query: Option<&str>) -> HtmlHead;
}

#[derive(Clone, Copy)]
pub(super) struct PageRequest<'a> {
    /// The page's pattern.
    pub pattern: &'static str,
    /// The product in the address.
    pub product: Option<&'a str>,
    /// The preset in the address. It fills in answers.
    pub preset: Option<&'a str>,
}

/// Checks whether the product with an identifier is on sale. If a preset is given, also checks whether
/// the product has that preset.
type OnSale = dyn Fn(&str, Option<&str>) -> bool + Send + Sync;

const INDEX: &str = "index.html";

/// The list of the website's parts, from the website's build. The server does not serve this file.
const MANIFEST: &str = "parts.json";

impl Website {
    /// Returns the embedded website. `on_sale` checks whether a product is on sale and has a preset.
    pub fn embedded(on_sale: impl Fn(&str, Option<&str>) -> bool + Send + Sync + 'static) -> Self {
        Self::from_files(embedded_files(), on_sale)
    }

    /// Builds a website from files, named by their paths without a leading slash. For `on_sale`, see
    /// [`Website::embedded`].
    pub fn from_files(
        files: impl IntoIterator<Item = (String, Cow<'static, [u8]>)>,
        on_sale: impl Fn(&str, Option<&str>) -> bool + Send + Sync + 'static,
    ) -> Self {
        let mut bodies: BTreeMap<String, Bytes> = files
            .into_iter()
            .map(|(name, data)| match data {
                Cow::Borrowed(data) => (name, Bytes::from_static(data)),
                Cow::Owned(data) => (name, Bytes::from(data)),
            })
            .collect();
        let names: Vec<String> = bodies.keys().cloned().collect();
        let mut files = BTreeMap::new();
        for name in names {
            // Names are sorted, so a file comes before its compressed variants.
            let is_variant = ENCODINGS.iter().any(|(suffix, _)| {
                let original = name.strip_suffix(suffix);
                original.is_some_and(|original| files.contains_key(original))
            });
            if is_variant {
                continue;
            }
            if let Some(body) = bodies.remove(&name) {
                let encoded = ENCODINGS.iter().filter_map(|(suffix, encoding)| {
                    let body = bodies.get(&format!("{name}{suffix}"))?;
                    Some((*encoding, body.clone()))
                });
                let file = File::from_build(&name, body, encoded);
                files.insert(name, file);
            }
        }
        Self {
            files,
            on_sale: Box::new(on_sale),
            prerendered: None,
        }
    }

    /// Adds the first content, from `beginnings`, to the website's pages.
    pub(super) fn with_heads(self, beginnings: impl HtmlHeads, cache: Arc<DailyCache>) -> Self {
        let page = self.files.get(INDEX).map_or(&[][..], File::plain_body);
        let manifest = self.files.get(MANIFEST).map(File::plain_body);
        let prerendered = PrerenderedPage {
            template: Template::new(page, manifest),
            beginnings: Box::new(beginnings),
            cache,
        };
        let prerendered = Some(prerendered);
        Self {
            prerendered,
            ..self
        }
    }

    fn answer(&self, request: &Request) -> Response {
        let path = request.uri().path();
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let mut refusal = text_response(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed");
            let methods = HeaderValue::from_static("GET, HEAD");
            refusal.headers_mut().insert(ALLOW, methods);
            return refusal;
        }
        // Only names of the website's files can be found, so a path cannot reach other files. The website
        // serves `index.html` and the rescue card at their routes, but not under their file names.
        let name = path.trim_start_matches('/');
        let hidden = [INDEX, CARD, MANIFEST];
        if let Some(file) = self.files.get(name).filter(|_| !hidden.contains(&name)) {
            return set_route_name("/:file", file.answer(StatusCode::OK, request));
        }
        if let Some(card) = self.files.get(CARD).filter(|_| path == RESCUE_CARD) {
            return set_route_name(RESCUE_CARD, card.answer(StatusCode::OK, request));
        }
        match self.route(path) {
            Some(page) => {
                let pattern = page.pattern.trim_end_matches('?');
                set_route_name(pattern, self.page(page, StatusCode::OK, request))
            }
            None if !looks_like_file(path) && wants_page(request.headers()) => {
                let unknown = PageRequest {
                    pattern: UNKNOWN,
                    product: None,
                    preset: None,
                };
                set_route_name(UNKNOWN, self.page(unknown, StatusCode::NOT_FOUND, request))
            }
            None => text_response(StatusCode::NOT_FOUND, "Not found"),
        }
    }

    /// Returns the page with its first content at an address.
    fn page(&self, page: PageRequest<'_>, status: StatusCode, request: &Request) -> Response {
        let Some(index) = self.files.get(INDEX) else {
            return text_response(StatusCode::NOT_FOUND, "Not found");
        };
        let Some(prerendered) = &self.prerendered else {
            return index.answer(status, request);
        };
        let query = request.uri().query();
        let (day, free, is_held) = prerendered.beginnings.cache_key(&page, query);
        let subject = CacheKey::Page {
            pattern: page.pattern,
            product: page.product.map(str::to_owned),
            preset: page.preset.map(str::to_owned),
            free,
            is_held,
        };
        let make = || {
            let beginning = prerendered.beginnings.html_head(&page, query);
            let page = prerendered.template.fill(page.pattern, &beginning);
            Ok::<_, Infallible>(File::from_body("text/html; charset=utf-8", page))
        };
        match prerendered.cache.file(day, subject, make) {
            Ok(page) => page.answer(status, request),
            Err(never) => match never {},
        }
    }

    /// Returns the page of an address. Returns `None` for an unknown page, an invalid id, a product that
    /// is not on sale, or an unknown preset.
    fn route<'a>(&self, path: &'a str) -> Option<PageRequest<'a>> {
        let path = path.strip_prefix('/')?;
        let path = match path.strip_suffix('/') {
            Some("") => return None,
            Some(shorter) => shorter,
            None => path,
        };
        let segments: Vec<&str> = path.split('/').collect();
        if segments.len() > 1 && segments.contains(&"") {
            return None;
        }
        let (page, _) = PAGES
            .into_iter()
            .find(|(pattern, _)| matches_pattern(pattern, &segments))?;
        let (product, preset) = match (page, segments.as_slice()) {
            (FRONT, [product]) | (COVER, [_, product]) => (Some(*product), None),
            (FRONT, [product, cover]) => (Some(*product), Some(*cover)),
            _ => (None, None),
        };
        let is_sold = match (page, product) {
            // The front page's own address works even if its product is not on sale.
            (FRONT, Some(_)) if preset.is_none() => true,
            (_, Some(product)) => (self.on_sale)(product, preset),
            _ => true,
        };
        is_sold.then_some(PageRequest {
            pattern: page,
            product,
            preset,
        })
    }
}

impl Endpoint for Website {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        Ok(self.answer(&request))
    }
}

/// Returns the files of the embedded website by their paths.
pub(super) fn embedded_files() -> impl Iterator<Item = (String, Cow<'static, [u8]>)> {
    Embedded::iter().filter_map(|name| {
        let file = Embedded::get(&name)?;
        Some((name.into_owned(), file.data))
    })
}

/// Checks whether the request accepts HTML, as a browser does when a person opens a page. A request
/// without `Accept` accepts everything.
fn wants_page(headers: &HeaderMap) -> bool {
    let Some(accept) = headers.get(ACCEPT) else {
        return true;
    };
    let accept = accept.to_str().unwrap_or_default().to_ascii_lowercase();
    accept
        .split(',')
        .map(|item| item.split(';').next().unwrap_or_default().trim())
        .any(|kind| kind == "text/html" || kind == "*/*")
}

fn looks_like_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(_, extension)| {
        (1..=10).contains(&extension.len()) && extension.chars().all(|c| c.is_ascii_alphanumeric())
    })
}

fn text_response(status: StatusCode, text: &'static str) -> Response {
    let response = Response::builder()
        .status(status)
        .header(CONTENT_TYPE, "text/plain; charset=utf-8")
        .header(CACHE_CONTROL, ASK_AGAIN)
        .body(text);
    set_route_name("/:unknown", response)
}

/// Sets the route's name for the request log. The address itself may contain a secret.
fn set_route_name(pattern: &'static str, mut response: Response) -> Response {
    response.set_data(PathPattern(pattern.into()));
    response
}
