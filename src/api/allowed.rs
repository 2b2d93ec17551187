//! What may be done with an address: 405 answers say so in `Allow`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use poem::http::header::ALLOW;
use poem::http::{HeaderValue, Method, StatusCode};
use poem::{Endpoint, Middleware, PathPattern, Request, Response, Result};

/// The methods of each route, by its pattern.
#[derive(Clone, Default)]
pub struct Allowed(Arc<BTreeMap<String, HeaderValue>>);

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
        Self(Arc::new(lines.collect()))
    }
}

impl<E: Endpoint> Middleware<E> for Allowed {
    type Output = AllowedEndpoint<E>;

    fn transform(&self, inner: E) -> Self::Output {
        let allowed = self.clone();
        AllowedEndpoint { inner, allowed }
    }
}

/// An endpoint whose 405 answers say what is allowed.
pub struct AllowedEndpoint<E> {
    inner: E,
    allowed: Allowed,
}

impl<E: Endpoint> Endpoint for AllowedEndpoint<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let mut response = self.inner.get_response(request).await;
        if response.status() == StatusCode::METHOD_NOT_ALLOWED
            && !response.headers().contains_key(ALLOW)
            && let Some(PathPattern(pattern)) = response.data::<PathPattern>()
            && let Some(methods) = self.allowed.0.get(pattern.as_ref()).cloned()
        {
            response.headers_mut().insert(ALLOW, methods);
        }
        Ok(response)
    }
}
