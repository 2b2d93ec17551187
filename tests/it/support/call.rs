//! A call to the shop and its answer.

use std::panic::Location;

use poem::Response;
use poem::http::{Method, StatusCode};
use poem::test::{TestClient, TestRequestBuilder};
use serde_json::Value;

use super::ORIGIN;
use super::schema::{Sent, assert_published};

/// What a call answered.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: poem::http::HeaderMap,
    pub body: Value,
    pub bytes: Vec<u8>,
}

/// The shop's routes.
pub type Routes = poem::endpoint::BoxEndpoint<'static, Response>;

/// A call that is being put together.
pub struct Call<'a> {
    request: TestRequestBuilder<'a, Routes>,
    method: Method,
    path: String,
}

impl<'a> Call<'a> {
    pub(super) fn new(client: &'a TestClient<Routes>, method: Method, path: &str) -> Self {
        Self {
            request: client.request(method.clone(), path.to_string()),
            method,
            path: path.to_string(),
        }
    }

    pub fn json(self, body: &Value) -> Self {
        Self {
            request: self.request.body_json(body),
            ..self
        }
    }

    /// A body as it is, which need not be JSON.
    pub fn body(self, body: impl Into<poem::Body>) -> Self {
        Self {
            request: self.request.body(body),
            ..self
        }
    }

    pub fn bearer(self, token: &str) -> Self {
        self.header("Authorization", &format!("Bearer {token}"))
    }

    /// From our own page, with cookies.
    pub fn cookies(self, cookies: &str) -> Self {
        self.header("Cookie", cookies).header("Origin", ORIGIN)
    }

    pub fn header(self, name: &str, value: &str) -> Self {
        Self {
            request: self.request.header(name, value),
            ..self
        }
    }

    /// Sends it. Every answer of the API has the form that its document publishes.
    pub async fn send(self) -> Answer {
        let response = self.request.send().await.0;
        let (parts, body) = response.into_parts();
        let bytes = body.into_vec().await.unwrap();
        let content_type = parts.headers.get("content-type");
        assert_published(&Sent {
            method: self.method.as_str(),
            path: &self.path,
            status: parts.status.as_u16(),
            content_type: content_type.map(|kind| kind.to_str().unwrap()),
            bytes: &bytes,
        });
        Answer {
            status: parts.status,
            headers: parts.headers,
            body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
            bytes,
        }
    }

    /// Sends it; its answer has this status.
    #[track_caller]
    pub fn answers(self, status: StatusCode) -> impl Future<Output = Answer> {
        let caller = Location::caller();
        async move {
            let answer = self.send().await;
            assert_eq!(answer.status, status, "{caller}: {:#}", answer.body);
            answer
        }
    }

    /// Sends it; it is answered with what was asked for.
    #[track_caller]
    pub fn succeeds(self) -> impl Future<Output = Answer> {
        self.answers(StatusCode::OK)
    }
}

impl Answer {
    /// The answer, if it has this status.
    #[track_caller]
    pub fn expect(self, status: StatusCode) -> Self {
        assert_eq!(self.status, status, "{:#}", self.body);
        self
    }

    /// A cookie that is set, as it is to be sent back.
    #[track_caller]
    pub fn cookie(&self, name: &str) -> String {
        let line = self.cookie_line(name);
        line.split(';').next().unwrap().to_string()
    }

    /// The whole line that sets a cookie.
    #[track_caller]
    pub fn cookie_line(&self, name: &str) -> String {
        let lines = self.headers.get_all("set-cookie").iter();
        let mut lines = lines.map(|line| line.to_str().unwrap());
        let begins = format!("{name}=");
        lines
            .find(|line| line.starts_with(&begins))
            .unwrap_or_else(|| panic!("no cookie {name}"))
            .to_string()
    }

    /// What stands at a JSON pointer.
    #[track_caller]
    pub fn at(&self, pointer: &str) -> &Value {
        self.body
            .pointer(pointer)
            .unwrap_or_else(|| panic!("{pointer} is missing in {:#}", self.body))
    }

    #[track_caller]
    pub fn text(&self, pointer: &str) -> String {
        self.at(pointer)
            .as_str()
            .unwrap_or_else(|| panic!("{pointer} is no text in {:#}", self.body))
            .to_string()
    }

    /// Paths of the fields at fault, in order.
    pub fn fields(&self) -> Vec<String> {
        self.body["errors"]
            .as_object()
            .map(|errors| errors.keys().cloned().collect())
            .unwrap_or_default()
    }
}
