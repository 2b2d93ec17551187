//! What may be done with an address: 405 answers say so in `Allow`.

use std::collections::{BTreeMap, BTreeSet};

use poem::http::header::ALLOW;
use poem::http::{HeaderValue, Method, StatusCode};
use poem::{PathPattern, Response};

/// The methods of each route, by its pattern.
pub struct Allowed(BTreeMap<String, HeaderValue>);

impl Allowed {
    /// Routes with the methods of each.
    pub fn of(routes: impl IntoIterator<Item = (String, Vec<Method>)>) -> Self {
        let line = |methods: Vec<Method>| {
            let mut names: BTreeSet<String> = methods.iter().map(Method::to_string).collect();
            // Whatever is read can be asked for its head.
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

    /// Adds what is allowed to a 405 that doesn't say so.
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
