//! The methods of each route. A 405 response lists them in `Allow`.

use std::collections::{BTreeMap, BTreeSet};

use poem::http::header::ALLOW;
use poem::http::{HeaderValue, Method, StatusCode};
use poem::{PathPattern, Response};

/// The methods of each route, by its pattern.
pub struct Allowed(BTreeMap<String, HeaderValue>);

impl Allowed {
    pub fn new(routes: impl IntoIterator<Item = (String, Vec<Method>)>) -> Self {
        let line = |methods: Vec<Method>| {
            let mut names: BTreeSet<String> = methods.iter().map(Method::to_string).collect();
            // Every route with GET also answers HEAD.
            if names.contains("GET") {
                names.insert("HEAD".to_string());
            }
            let names: Vec<String> = names.into_iter().collect();
            HeaderValue::from_str(&names.join(", ")).ok()
        };
        let lines = routes
            .into_iter()
            .filter_map(|(pattern, methods)| Some((pattern, line(methods)?)));
        Self(lines.collect())
    }

    /// Adds `Allow` to a 405 of a listed route, unless the response has the header.
    pub fn complete(&self, response: &mut Response) {
        if response.status() == StatusCode::METHOD_NOT_ALLOWED
            && !response.headers().contains_key(ALLOW)
            && let Some(PathPattern(pattern)) = response.data::<PathPattern>()
            && let Some(methods) = self.0.get(pattern.as_ref()).cloned()
        {
            response.headers_mut().insert(ALLOW, methods);
        }
    }
}
