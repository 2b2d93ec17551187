//! Files as responses: in the best encoding for the browser, or a 304 if the browser has the file.

use std::io::Write;

use bytes::Bytes;
use data_encoding::HEXLOWER;
use flate2::Compression;
use flate2::write::GzEncoder;
use poem::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG,
    HeaderMap, IF_NONE_MATCH, VARY,
};
use poem::http::{HeaderValue, Method, StatusCode};
use poem::{Request, Response};
use sha2::{Digest, Sha256};

use crate::api::http::server::SharedBody;

/// A file with the same content for everybody. The compressed bodies are in the order of [`ENCODINGS`]. The
/// plain body is the last.
pub(in crate::api) struct File(Vec<Variant>);

struct Variant {
    encoding: Option<&'static str>,
    etag: HeaderValue,
    /// The headers of a response with this body.
    headers: HeaderMap,
    body: Bytes,
}

/// The encodings of `ui/compress.ts`: the file's suffix, and the name. The encoding with the smaller
/// files is first.
pub(super) const ENCODINGS: [(&str, &str); 2] = [(".br", "br"), (".gz", "gzip")];

/// For names with a hash: the content of such a file never changes.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// The browser stores the file but revalidates it each time. With the ETag, the server does not send an
/// unchanged file again.
pub(super) const ASK_AGAIN: &str = "no-cache";

impl File {
    /// Creates a file of the website's build, with the compressed bodies from `ui/compress.ts`.
    pub(super) fn from_build(
        name: &str,
        body: Bytes,
        encoded: impl Iterator<Item = (&'static str, Bytes)>,
    ) -> Self {
        let cache = if has_hash(name) { IMMUTABLE } else { ASK_AGAIN };
        Self::new(content_type(name), cache, body, encoded)
    }

    /// Creates a file from a new body. Compresses a body of at least [`WORTH_COMPRESSING`] bytes once for
    /// all requests. The body must be the same for everybody: the compressed length of a secret can
    /// reveal that secret (docs/SECURITY.md).
    pub(in crate::api) fn from_body(content_type: &'static str, body: Vec<u8>) -> Self {
        let zipped = (body.len() >= WORTH_COMPRESSING).then(|| gzip(&body));
        let zipped = zipped.and_then(Result::ok).map(|zipped| ("gzip", zipped));
        Self::new(content_type, ASK_AGAIN, body.into(), zipped.into_iter())
    }

    pub(super) fn plain_body(&self) -> &[u8] {
        self.0.last().map_or(&[], |plain| &plain.body)
    }

    /// Returns the memory of all bodies, bytes.
    pub(in crate::api) fn size(&self) -> usize {
        self.0.iter().map(|variant| variant.body.len()).sum()
    }

    fn new(
        content_type: &'static str,
        cache: &'static str,
        body: Bytes,
        encoded: impl Iterator<Item = (&'static str, Bytes)>,
    ) -> Self {
        let digest = Sha256::digest(&body);
        let hash = HEXLOWER.encode(digest.get(..16).unwrap_or(&digest));
        let encoded = encoded.map(|(encoding, body)| (Some(encoding), body));
        let all = encoded.chain(std::iter::once((None, body)));
        let variants = all.map(|(encoding, body)| {
            let suffix = encoding.map_or_else(String::new, |encoding| format!("-{encoding}"));
            let etag = HeaderValue::from_str(&format!("\"{hash}{suffix}\""));
            let etag = etag.unwrap_or(HeaderValue::from_static("\"\""));
            let text = HeaderValue::from_static;
            let mut headers = HeaderMap::from_iter([
                (CACHE_CONTROL, text(cache)),
                (VARY, text("Accept-Encoding")),
                (ETAG, etag.clone()),
                (CONTENT_TYPE, text(content_type)),
                (CONTENT_LENGTH, body.len().into()),
            ]);
            if let Some(encoding) = encoding {
                headers.insert(CONTENT_ENCODING, text(encoding));
            }
            Variant {
                encoding,
                etag,
                headers,
                body,
            }
        });
        Self(variants.collect())
    }

    /// Returns the response with `status` to a request for this file. Returns a 304 instead of a 200 if
    /// the browser has the file.
    pub(in crate::api) fn answer(&self, status: StatusCode, request: &Request) -> Response {
        let mut response = Response::builder().status(status).finish();
        let Some(variant) = self.choose(request.headers()) else {
            response.set_status(StatusCode::NOT_FOUND);
            return response;
        };
        let headers = response.headers_mut();
        *headers = variant.headers.clone();
        if status != StatusCode::OK {
            headers.remove(ETAG);
        } else if is_known(request.headers(), &variant.etag) {
            for name in [CONTENT_TYPE, CONTENT_LENGTH, CONTENT_ENCODING] {
                headers.remove(name);
            }
            response.set_status(StatusCode::NOT_MODIFIED);
            return response;
        }
        if *request.method() != Method::HEAD {
            response.set_body(variant.body.clone());
            response.set_data(SharedBody);
        }
        response
    }

    /// Returns the variant with the highest weight in `Accept-Encoding`. Of several such variants,
    /// returns the first.
    fn choose(&self, headers: &HeaderMap) -> Option<&Variant> {
        let accepted = AcceptedEncodings::from_headers(headers);
        let mut best: Option<(&Variant, u32)> = None;
        for variant in &self.0 {
            let weight = accepted.weight(variant.encoding);
            if best.is_none_or(|(_, best_weight)| weight > best_weight) {
                best = Some((variant, weight));
            }
        }
        // A browser that refuses every encoding gets the plain body instead of an error.
        best.filter(|(_, weight)| *weight > 0)
            .map(|(variant, _)| variant)
            .or(self.0.last())
    }
}

/// Smallest body to compress, bytes. A smaller body fits one packet uncompressed.
const WORTH_COMPRESSING: usize = 1024;

fn gzip(body: &[u8]) -> std::io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 3), Compression::best());
    encoder.write_all(body)?;
    Ok(encoder.finish()?.into())
}

/// The parsed `Accept-Encoding`: encodings, each with a weight in thousandths.
struct AcceptedEncodings(Vec<(String, u32)>);

impl AcceptedEncodings {
    fn from_headers(headers: &HeaderMap) -> Self {
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
        let weight = |encoding: &str| {
            let found = self.0.iter().find(|(name, _)| name == encoding);
            found.map(|(_, weight)| *weight)
        };
        let any = weight("*");
        match encoding {
            Some(name) => weight(name).or(any).unwrap_or(0),
            // The plain body is acceptable unless the header refuses it with `identity` or `*`. Without a
            // weight of its own, the plain body ranks last.
            None => weight("identity").or(any.filter(|w| *w == 0)).unwrap_or(1),
        }
    }
}

fn is_known(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let values = headers.get_all(IF_NONE_MATCH).into_iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|tag| tag.trim().trim_start_matches("W/"))
        .any(|tag| tag == "*" || tag == etag)
}

/// Checks whether the build put a hash into the file's name: `assets/page-BxY3_k9Z.js`.
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
