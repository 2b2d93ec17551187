//! The files for search engines: `/robots.txt` excludes private pages, and `/sitemap.xml` lists public pages.

use std::collections::BTreeSet;
use std::sync::Arc;

use poem::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use poem::web::Data;
use poem::{Response, handler};

use crate::api::website::pages::{self, BROKEN_DOWN, COVER, HELP, PAGES, RESCUE_CARD};
use crate::app::App;

/// Addresses that search engines must not read, besides the website's private pages.
const NO_PAGES: [&str; 5] = ["/api/", "/gateway/", "/health/", "/metrics", RESCUE_CARD];

/// Lets a search engine cache either file for only an hour, because the products on sale may change at
/// midnight.
const AN_HOUR: &str = "public, max-age=3600";

/// Returns `/robots.txt`, which excludes every page that is not public, new pages included.
#[handler]
pub(in crate::api) fn robots(app: Data<&Arc<App>>) -> Response {
    let mut text = String::from("User-agent: *\n");
    for path in private_paths().into_iter().chain(NO_PAGES) {
        text += &format!("Disallow: {path}\n");
    }
    text += &format!("\nSitemap: {}/sitemap.xml\n", app.public_url);
    answer("text/plain; charset=utf-8", text)
}

/// Returns `/sitemap.xml`: the public pages, and the pages where a quote starts for each product on sale
/// today.
#[handler]
pub(in crate::api) fn sitemap(app: Data<&Arc<App>>) -> Response {
    let products = app.products.on_sale(app.clock.today());
    let starts = products.iter().flat_map(|registered| {
        let presets = registered.product.info().presets.keys();
        start_pages(registered.product.identifier(), presets)
    });
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    let first = ["/", BROKEN_DOWN, HELP].map(str::to_owned);
    for path in first.into_iter().chain(starts) {
        text += &format!("  <url><loc>{}{path}</loc></url>\n", app.public_url);
    }
    text += "</urlset>\n";
    answer("application/xml; charset=utf-8", text)
}

/// Returns the path prefixes of private pages. `/payment` includes `/payment/success`.
fn private_paths() -> Vec<&'static str> {
    let patterns = PAGES.into_iter().map(|(pattern, _)| pattern);
    let begins: BTreeSet<&str> = patterns
        .filter(|page| !pages::is_public(page))
        .map(|page| page.split_once("/:").map_or(page, |(begins, _)| begins))
        .collect();
    let within = |path: &str, other: &str| {
        path.strip_prefix(other)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    let widest = |path: &&str| !begins.iter().any(|other| within(path, other));
    begins.iter().copied().filter(widest).collect()
}

/// Returns the addresses where a quote for a product starts. The front page's product has one more
/// address for each of its presets.
fn start_pages<'a>(product: &str, presets: impl Iterator<Item = &'a String>) -> Vec<String> {
    if !pages::is_front(product) {
        return vec![COVER.replace(":product", product)];
    }
    let preset = |word: &String| format!("/{product}/{}", escaped(word));
    std::iter::once(format!("/{product}"))
        .chain(presets.map(preset))
        .collect()
}

/// Percent-encodes a word of the product file for an address.
fn escaped(word: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    word.bytes().map(byte).collect()
}

fn answer(content_type: &'static str, text: String) -> Response {
    Response::builder()
        .header(CONTENT_TYPE, content_type)
        .header(CACHE_CONTROL, AN_HOUR)
        .body(text)
}
