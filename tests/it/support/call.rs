//! Calls to the shop's API and their responses.

use std::panic::Location;

use poem::Response;
use poem::http::{Method, StatusCode};
use poem::test::{TestClient, TestRequestBuilder};
use serde_json::Value;

use super::ORIGIN;
use super::schema::{Sent, assert_published};

/// The response to a call.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: poem::http::HeaderMap,
    pub body: Value,
    pub bytes: Vec<u8>,
}

/// The shop's routes.
pub type Routes = poem::endpoint::BoxEndpoint<'static, Response>;

/// A call that a test builds step by step.
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

    /// Sets a body that need not be JSON.
    pub fn body(self, body: impl Into<poem::Body>) -> Self {
        Self {
            request: self.request.body(body),
            ..self
        }
    }

    pub fn bearer(self, token: &str) -> Self {
        self.header("Authorization", &format!("Bearer {token}"))
    }

    /// Sends cookies, as from a page of the shop.
    pub fn cookies(self, cookies: &str) -> Self {
        self.header("Cookie", cookies).header("Origin", ORIGIN)
    }

    pub fn header(self, name: &str, value: &str) -> Self {
        Self {
            request: self.request.header(name, value),
            ..self
        }
    }

    /// Sends the call. Checks that the response has the form of the published OpenAPI document.
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

    /// Sends the call, and checks the status of its response.
    #[track_caller]
    pub fn answers(self, status: StatusCode) -> impl Future<Output = Answer> {
        let caller = Location::caller();
        async move {
            let answer = self.send().await;
            assert_eq!(answer.status, status, "{caller}: {:#}", answer.body);
            answer
        }
    }

    /// Sends the call, and checks that it succeeds.
    #[track_caller]
    pub fn succeeds(self) -> impl Future<Output = Answer> {
        self.answers(StatusCode::OK)
    }
}

impl Answer {
    /// Returns the response, and fails the test if the status differs.
    #[track_caller]
    pub fn expect(self, status: StatusCode) -> Self {
        assert_eq!(self.status, status, "{:#}", self.body);
        self
    }

    /// Returns a cookie that the response sets, as a browser sends it back.
    #[track_caller]
    pub fn cookie(&self, name: &str) -> String {
        let line = self.cookie_line(name);
        line.split(';').next().unwrap().to_string()
    }

    /// Returns the whole `Set-Cookie` line of a cookie.
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

    /// Returns the value at a JSON pointer.
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

    /// Returns the paths of the fields with errors, in order.
    pub fn fields(&self) -> Vec<String> {
        self.body["errors"]
            .as_object()
            .map(|errors| errors.keys().cloned().collect())
            .unwrap_or_default()
    }
}
