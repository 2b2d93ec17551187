//! A bucket with the part of the Amazon S3 protocol that the shop uses. It does not verify signatures;
//! tests/s3 does. A test can stop it in the middle of a call, and kill the shop at that point.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use chrono::{DateTime, SecondsFormat, Utc};
use poem::http::{Method, StatusCode, header};
use poem::listener::{Acceptor, Listener, TcpListener};
use poem::{Body, Endpoint, Request, Response, Server};
use tokio::sync::mpsc;

use super::NOW;

/// Name of the bucket in its addresses.
const NAME: &str = "documents";
/// The shop's folder in the bucket.
const PREFIX: &str = "of-a-shop";

/// The kind of call that gets no response from the bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A put of a blob, after the bucket has stored it.
    Kept,
    /// A put of a blob, before the bucket stores it.
    NotKept,
    /// A delete of blobs, before the bucket removes them.
    NotRemoved,
}

/// A bucket. It serves until the test's runtime ends.
#[derive(Clone)]
pub struct Bucket {
    /// Address at which the bucket accepts connections.
    endpoint: String,
    inside: Arc<Mutex<Inside>>,
}

#[derive(Default)]
struct Inside {
    objects: BTreeMap<String, Bytes>,
    is_away: bool,
    /// The kind of call to stop, and the channel that receives the paths of stopped calls.
    stop: Option<(Stop, mpsc::UnboundedSender<String>)>,
}

impl Bucket {
    /// Starts an empty bucket.
    pub async fn open() -> Self {
        let acceptor = TcpListener::bind("127.0.0.1:0").into_acceptor().await;
        let acceptor = acceptor.unwrap();
        let address = acceptor.local_addr().remove(0);
        let bucket = Self {
            endpoint: format!("http://{}", address.as_socket_addr().unwrap()),
            inside: Arc::default(),
        };
        tokio::spawn(Server::new_with_acceptor(acceptor).run(Answers(bucket.clone())));
        bucket
    }

    /// Returns the settings of a shop that stores its documents in this bucket.
    pub fn settings(&self) -> [(&str, String); 4] {
        [
            ("LAYBY_DOCUMENTS__URL", format!("s3://{NAME}/{PREFIX}")),
            ("LAYBY_DOCUMENTS__S3__ENDPOINT", self.endpoint.clone()),
            ("LAYBY_DOCUMENTS__S3__KEY_ID", "key".to_string()),
            ("LAYBY_DOCUMENTS__S3__SECRET", "secret".to_string()),
        ]
    }

    /// Makes the bucket refuse every call, or none.
    pub fn set_away(&self, is_away: bool) {
        self.inside.lock().unwrap().is_away = is_away;
    }

    /// Stops the next call of this kind and all calls after it, until `go_on`. Returns a receiver of the
    /// paths of the stopped calls.
    pub fn stop_at(&self, stop: Stop) -> mpsc::UnboundedReceiver<String> {
        let (met, meets) = mpsc::unbounded_channel();
        self.inside.lock().unwrap().stop = Some((stop, met));
        meets
    }

    /// Makes the bucket respond to every call again.
    pub fn go_on(&self) {
        self.inside.lock().unwrap().stop = None;
    }

    /// Returns the blobs by their SHA-256.
    pub fn contents(&self) -> BTreeMap<String, Bytes> {
        let inside = self.inside.lock().unwrap();
        let all = inside.objects.iter();
        let named = all.filter_map(|(path, bytes)| Some((content(path)?, bytes.clone())));
        named.collect()
    }
}

/// Returns the SHA-256 at the end of a path, or `None` if the path is not a blob's.
fn content(path: &str) -> Option<String> {
    let (_, name) = path.rsplit_once('/')?;
    (name.len() == 64).then(|| name.to_string())
}

struct Answers(Bucket);

impl Endpoint for Answers {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        let body = request.take_body().into_bytes().await?;
        let query = request.uri().query().unwrap_or_default().to_string();
        let path = request.uri().path().trim_start_matches('/');
        let path = path.strip_prefix(NAME).unwrap_or_default();
        let path = path.trim_start_matches('/').to_string();
        let removes = request.method() == Method::POST && query.starts_with("delete");
        let is_content = content(&path).is_some();
        let (kept, stop) = {
            let inside = self.0.inside.lock().unwrap();
            if inside.is_away {
                return Ok(StatusCode::SERVICE_UNAVAILABLE.into());
            }
            let puts = request.method() == Method::PUT && is_content;
            let stop = inside.stop.clone().filter(|(stop, _)| match stop {
                Stop::Kept | Stop::NotKept => puts,
                Stop::NotRemoved => removes,
            });
            (
                stop.as_ref().is_none_or(|(stop, _)| *stop == Stop::Kept),
                stop,
            )
        };
        let answer = if kept {
            self.0.answer(request.method(), &path, &query, body)
        } else {
            StatusCode::OK.into()
        };
        if let Some((_, met)) = stop {
            let _ = met.send(path);
            std::future::pending::<()>().await;
        }
        Ok(answer)
    }
}

impl Bucket {
    fn answer(&self, method: &Method, path: &str, query: &str, body: Bytes) -> Response {
        let objects = &mut self.inside.lock().unwrap().objects;
        let written: DateTime<Utc> = NOW.parse().unwrap();
        match *method {
            Method::PUT => {
                objects.insert(path.to_string(), body);
                Response::builder()
                    .header(header::ETAG, "\"kept\"")
                    .finish()
            }
            Method::POST => {
                for path in between(std::str::from_utf8(&body).unwrap(), "<Key>", "</Key>") {
                    objects.remove(path);
                }
                "<DeleteResult></DeleteResult>".into()
            }
            _ if query.contains("list-type=2") => {
                let written = written.to_rfc3339_opts(SecondsFormat::Millis, true);
                let listed = objects.iter().map(|(path, bytes)| {
                    format!(
                        "<Contents><Key>{path}</Key><LastModified>{written}</LastModified>\
                         <ETag>&quot;kept&quot;</ETag><Size>{}</Size></Contents>",
                        bytes.len()
                    )
                });
                let listed: String = listed.collect();
                let listed = format!(
                    "<ListBucketResult><IsTruncated>false</IsTruncated>{listed}</ListBucketResult>"
                );
                listed.into()
            }
            _ => match objects.get(path) {
                Some(bytes) => Response::builder()
                    .header(header::ETAG, "\"kept\"")
                    .header(header::LAST_MODIFIED, written.to_rfc2822())
                    .header(header::CONTENT_LENGTH, bytes.len())
                    .body(Body::from(bytes.clone())),
                None => StatusCode::NOT_FOUND.into(),
            },
        }
    }
}

/// Returns the texts between each `before` and the next `after`.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Vec<&'a str> {
    let found = text.split(before).skip(1);
    found
        .filter_map(|rest| Some(rest.split_once(after)?.0))
        .collect()
}
