//! The website: the files of `ui/dist`, embedded in the binary, and its routes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bytes::Bytes;
use data_encoding::HEXLOWER;
use poem::http::header::{
    ACCEPT, ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE,
    ETAG, HeaderMap, IF_NONE_MATCH, VARY,
};
use poem::http::{HeaderValue, Method, StatusCode};
use poem::{Endpoint, PathPattern, Request, Response, Result};
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use super::server::KeptAnyway;

/// What `build.rs` made of `ui/`.
#[derive(RustEmbed)]
#[folder = "ui/dist"]
#[exclude = ".*"]
struct Embedded;

/// Serves the website: its files, its page (`index.html`) for every route it knows, and the same page
/// with status 404 for every other address that a person opens.
pub struct Website {
    files: BTreeMap<String, File>,
    on_sale: Box<OnSale>,
}

/// Whether a product is on sale, by its identifier; and, with a word, whether it has that preset.
type OnSale = dyn Fn(&str, Option<&str>) -> bool + Send + Sync;

struct File {
    content_type: &'static str,
    cache: &'static str,
    /// The plain body, and the compressed ones that were made when the program was built.
    variants: Vec<Variant>,
}

struct Variant {
    encoding: Option<&'static str>,
    etag: String,
    body: Bytes,
}

/// The encodings that `build.rs` makes, the smaller one first: the ending of the file, and the name.
const ENCODINGS: [(&str, &str); 2] = [(".br", "br"), (".gz", "gzip")];

const INDEX: &str = "index.html";

/// The front page's product with one of its covers: the specification's own address (part 2).
const FRONT: &str = "/breakdown/:cover?";

/// Where somebody who has broken down reads whom to call, and whether there is cover.
pub(super) const BROKEN_DOWN: &str = "/broken-down";

/// The rescue card: a page with a file of its own, since it must open without a network and needs little.
pub(super) const RESCUE_CARD: &str = "/rescue-card";

/// The file of the rescue card.
const CARD: &str = "rescue-card/index.html";

/// Where a quote for any product begins.
pub(super) const COVER: &str = "/cover/:product";

/// The website's pages by their patterns, as its own router has them (`ui/src/lib/patterns.ts`). Of two
/// that fit an address the first counts. A part with a question mark may be missing.
pub const PAGES: [&str; 16] = [
    "/",
    BROKEN_DOWN,
    FRONT,
    COVER,
    "/dashboard",
    "/portal",
    "/aggregator/:id?",
    "/retrieve-password",
    "/reset-password",
    "/confirm-email",
    "/payment/processing/:id?",
    "/payment/success/:id?",
    "/payment/failure/:id?",
    "/payment/:id?",
    "/policy/view/:id?",
    "/quote/edit/:id?",
];

/// Whether a page is for anybody. All others are a customer's own, and no search engine's.
pub(super) fn is_public(page: &str) -> bool {
    ["/", BROKEN_DOWN, FRONT, COVER].contains(&page)
}

/// Whether the front page sells this product.
pub(super) fn is_front(product: &str) -> bool {
    fits(FRONT, &[product])
}

impl Website {
    /// The embedded website. `on_sale` says whether a product is on sale, and has a preset.
    pub fn embedded(on_sale: impl Fn(&str, Option<&str>) -> bool + Send + Sync + 'static) -> Self {
        let files = Embedded::iter().filter_map(|name| {
            let file = Embedded::get(&name)?;
            Some((name.into_owned(), file.data))
        });
        Self::of_files(files, on_sale)
    }

    /// A website of these files, named by their paths without a slash before.
    pub fn of_files(
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
            // In this order a file comes before the variants of it.
            let is_variant = ENCODINGS.iter().any(|(suffix, _)| {
                let of = name.strip_suffix(suffix);
                of.is_some_and(|of| files.contains_key(of))
            });
            if is_variant {
                continue;
            }
            if let Some(body) = bodies.remove(&name) {
                let encoded = ENCODINGS.iter().filter_map(|(suffix, encoding)| {
                    let body = bodies.get(&format!("{name}{suffix}"))?;
                    Some((*encoding, body.clone()))
                });
                let file = File::new(&name, body, encoded);
                files.insert(name, file);
            }
        }
        Self {
            files,
            on_sale: Box::new(on_sale),
        }
    }

    fn answer(&self, request: &Request) -> Response {
        let path = request.uri().path();
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let mut refusal = plain(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed");
            let methods = HeaderValue::from_static("GET, HEAD");
            refusal.headers_mut().insert(ALLOW, methods);
            return refusal;
        }
        // Only embedded names can be found, so a path can't reach other files. `index.html` is
        // served at the website's routes only, and not under its own name.
        let name = path.trim_start_matches('/');
        if let Some(file) = self
            .files
            .get(name)
            .filter(|_| ![INDEX, CARD].contains(&name))
        {
            return named("/:file", file.answer(StatusCode::OK, request));
        }
        if let Some(card) = self.files.get(CARD).filter(|_| path == RESCUE_CARD) {
            return named(RESCUE_CARD, card.answer(StatusCode::OK, request));
        }
        let index = self.files.get(INDEX);
        match (self.route(path), index) {
            (Some(pattern), Some(index)) => named(pattern, index.answer(StatusCode::OK, request)),
            (None, Some(index)) if !looks_like_file(path) && wants_page(request.headers()) => {
                named("/:unknown", index.answer(StatusCode::NOT_FOUND, request))
            }
            _ => plain(StatusCode::NOT_FOUND, "Not found"),
        }
    }

    /// What the page of an address is called in the log; none where there is no such page, or
    /// where it names a product that isn't on sale.
    fn route(&self, path: &str) -> Option<&'static str> {
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
        let page = PAGES.into_iter().find(|page| fits(page, &segments))?;
        let is_sold = match (page, segments.as_slice()) {
            (FRONT, [product, cover]) => (self.on_sale)(product, Some(cover)),
            (COVER, [_, product]) => (self.on_sale)(product, None),
            _ => true,
        };
        is_sold.then_some(page.trim_end_matches('?'))
    }
}

/// Whether an address, cut at its slashes, is one of this pattern.
fn fits(pattern: &str, segments: &[&str]) -> bool {
    let mut rest = segments.iter();
    let all = pattern
        .split('/')
        .skip(1)
        .all(|part| match (part.strip_prefix(':'), rest.next()) {
            (Some(name), None) => name.ends_with('?'),
            (Some(_), Some(_)) => true,
            (None, segment) => segment == Some(&part),
        });
    all && rest.next().is_none()
}

impl Endpoint for Website {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        Ok(self.answer(&request))
    }
}

/// A name with a hash in it never means another content.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Kept, but asked for again each time; the ETag makes that cheap.
const ASK_AGAIN: &str = "no-cache";

impl File {
    fn new(name: &str, body: Bytes, encoded: impl Iterator<Item = (&'static str, Bytes)>) -> Self {
        let digest = Sha256::digest(&body);
        let hash = HEXLOWER.encode(digest.get(..16).unwrap_or(&digest));
        let plain = Variant {
            encoding: None,
            etag: format!("\"{hash}\""),
            body,
        };
        let encoded = encoded.map(|(encoding, body)| Variant {
            encoding: Some(encoding),
            etag: format!("\"{hash}-{encoding}\""),
            body,
        });
        Self {
            content_type: content_type(name),
            cache: if has_hash(name) { IMMUTABLE } else { ASK_AGAIN },
            // The better encodings come first, and the plain body last.
            variants: encoded.chain(std::iter::once(plain)).collect(),
        }
    }

    fn answer(&self, status: StatusCode, request: &Request) -> Response {
        let Some(variant) = self.choose(request.headers()) else {
            return plain(StatusCode::NOT_FOUND, "Not found");
        };
        let mut response = Response::builder()
            .status(status)
            .header(CACHE_CONTROL, self.cache)
            .header(VARY, "Accept-Encoding");
        if status == StatusCode::OK {
            response = response.header(ETAG, &variant.etag);
            if is_known(request.headers(), &variant.etag) {
                return response.status(StatusCode::NOT_MODIFIED).finish();
            }
        }
        if let Some(encoding) = variant.encoding {
            response = response.header(CONTENT_ENCODING, encoding);
        }
        response = response
            .header(CONTENT_TYPE, self.content_type)
            .header(CONTENT_LENGTH, variant.body.len());
        match *request.method() {
            Method::HEAD => response.finish(),
            _ => {
                let mut response = response.body(variant.body.clone());
                response.set_data(KeptAnyway);
                response
            }
        }
    }

    /// The variant with the highest weight in `Accept-Encoding`; of equals, the smallest.
    fn choose(&self, headers: &HeaderMap) -> Option<&Variant> {
        let accepted = Accepted::of(headers);
        let mut best: Option<(&Variant, u32)> = None;
        for variant in &self.variants {
            let weight = accepted.weight(variant.encoding);
            if best.is_none_or(|(_, most)| weight > most) {
                best = Some((variant, weight));
            }
        }
        // A browser that refuses every encoding gets the plain body rather than an error.
        best.filter(|(_, weight)| *weight > 0)
            .map(|(variant, _)| variant)
            .or(self.variants.last())
    }
}

/// What `Accept-Encoding` says: encodings, each with a weight in thousandths.
struct Accepted(Vec<(String, u32)>);

impl Accepted {
    fn of(headers: &HeaderMap) -> Self {
        let values = headers.get_all(ACCEPT_ENCODING).into_iter();
        let items = values
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .filter_map(|item| {
                let mut parts = item.split(';').map(str::trim);
                let name = parts.next().filter(|name| !name.is_empty())?;
                let weight = parts
                    .filter_map(|part| part.split_once('='))
                    .find(|(key, _)| key.trim().eq_ignore_ascii_case("q"))
                    .map_or(Some(1.0), |(_, q)| q.trim().parse::<f32>().ok())
                    .filter(|q| (0.0..=1.0).contains(q))?;
                Some((name.to_ascii_lowercase(), (weight * 1000.0) as u32))
            });
        Self(items.collect())
    }

    fn weight(&self, encoding: Option<&str>) -> u32 {
        let given = |wanted: &str| {
            let found = self.0.iter().find(|(name, _)| name == wanted);
            found.map(|(_, weight)| *weight)
        };
        let any = given("*");
        match encoding {
            Some(name) => given(name).or(any).unwrap_or(0),
            // The plain body is acceptable unless it is refused, after everything that was named.
            None => given("identity").or(any.filter(|w| *w == 0)).unwrap_or(1),
        }
    }
}

fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let values = headers.get_all(IF_NONE_MATCH).into_iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|known| known.trim().trim_start_matches("W/"))
        .any(|known| known == "*" || known == etag)
}

/// Whether a person opens a page, as opposed to a script or an image that is loaded.
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

/// Whether a file was named by the website's build after its content: `assets/page-BxY3_k9Z.js`.
fn has_hash(name: &str) -> bool {
    let Some(name) = name.strip_prefix("assets/") else {
        return false;
    };
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    // The hash has eight characters, and a dash may be one of them.
    let tail: Vec<char> = stem.chars().rev().take(9).collect();
    tail.len() == 9
        && tail.last() == Some(&'-')
        && tail
            .iter()
            .all(|c| c.is_ascii_alphanumeric() || *c == '-' || *c == '_')
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "pdf" => "application/pdf",
        _ => "application/octet-stream",
    }
}

fn plain(status: StatusCode, text: &'static str) -> Response {
    let response = Response::builder()
        .status(status)
        .header(CONTENT_TYPE, "text/plain; charset=utf-8")
        .header(CACHE_CONTROL, ASK_AGAIN)
        .body(text);
    named("/:unknown", response)
}

/// Sets the route's name for the request log. The address itself may hold a secret.
fn named(pattern: &'static str, mut response: Response) -> Response {
    response.set_data(PathPattern(pattern.into()));
    response
}
