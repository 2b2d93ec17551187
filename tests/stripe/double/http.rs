//! A small HTTP/1.1 server on its own threads, which can also send broken responses on purpose.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// A request.
pub struct Heard {
    pub method: String,
    pub path: String,
    pub query: String,
    /// By their names in lower case.
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Heard {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }
}

/// A response.
#[derive(Clone, Debug)]
pub struct Said {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

impl Said {
    pub fn html(status: u16, body: &str) -> Self {
        Self {
            status,
            headers: vec![("Content-Type", "text/html; charset=utf-8".to_owned())],
            body: body.as_bytes().to_vec(),
        }
    }

    pub fn to(address: &str) -> Self {
        Self {
            status: 303,
            headers: vec![("Location", address.to_owned())],
            body: Vec::new(),
        }
    }
}

/// The bytes that a caller receives.
pub enum Reply {
    Said(Said),
    /// The head and the first half of the body; then the connection ends.
    Half(Said),
    /// The connection ends without a byte.
    Nothing,
    /// The connection stays open, without a response.
    Silence,
}

type Handler = dyn Fn(Heard) -> Reply + Send + Sync;

/// The certificate and key (PEM) of a TLS server.
pub struct Tls {
    pub certificate: String,
    pub key: String,
}

/// Serves `listener` until the process ends.
pub fn serve(listener: TcpListener, tls: Option<&Tls>, handler: Arc<Handler>) -> SocketAddr {
    let address = listener.local_addr().unwrap();
    let tls = tls.map(|tls| Arc::new(config(tls)));
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let (handler, tls) = (handler.clone(), tls.clone());
            std::thread::spawn(move || {
                let _ = stream.set_read_timeout(Some(Duration::from_secs(60)));
                let _ = stream.set_nodelay(true);
                match tls {
                    None => converse(stream, &*handler),
                    Some(config) => {
                        let session = rustls::ServerConnection::new(config).unwrap();
                        converse(rustls::StreamOwned::new(session, stream), &*handler);
                    }
                }
            });
        }
    });
    address
}

fn config(tls: &Tls) -> rustls::ServerConfig {
    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};
    let certificate = CertificateDer::from_pem_slice(tls.certificate.as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(tls.key.as_bytes()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap()
}

fn converse<S: Read + Write>(stream: S, handler: &Handler) {
    let mut stream = BufReader::new(stream);
    while let Some(heard) = read(&mut stream) {
        let said = match handler(heard) {
            Reply::Said(said) => said,
            Reply::Half(said) => {
                let bytes = written(&said);
                let half = bytes.len() - said.body.len().div_ceil(2);
                let _ = stream.get_mut().write_all(&bytes[..half]);
                return;
            }
            Reply::Nothing => return,
            Reply::Silence => {
                // Waits until the caller closes the connection.
                let _ = stream.read(&mut [0]);
                return;
            }
        };
        if stream.get_mut().write_all(&written(&said)).is_err() {
            return;
        }
        let _ = stream.get_mut().flush();
    }
}

fn read(stream: &mut impl BufRead) -> Option<Heard> {
    let mut line = String::new();
    stream.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).ok().filter(|read| *read > 0)?;
        match line.trim_end().split_once(':') {
            Some((name, value)) => {
                headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
            }
            None => break,
        }
    }
    let length = headers.get("content-length");
    let length = length.and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some(Heard {
        method,
        path: path.to_owned(),
        query: query.to_owned(),
        headers,
        body,
    })
}

fn written(said: &Said) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {} .\r\n", said.status);
    for (name, value) in &said.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n", said.body.len()));
    [head.as_bytes(), &said.body].concat()
}

/// Posts to a plain `http://` address. Returns the status.
pub fn post(address: &str, headers: &[(&str, &str)], body: &[u8]) -> std::io::Result<u16> {
    exchange(address, headers, body).map(|(status, _)| status)
}

/// Posts to a plain `http://` address. Returns the status and the body of the response.
pub fn exchange(
    address: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> std::io::Result<(u16, Vec<u8>)> {
    let rest = address.strip_prefix("http://").unwrap_or(address);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut head = format!("POST /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
    stream.write_all(&[head.as_bytes(), body].concat())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let end = answer.windows(4).position(|part| part == b"\r\n\r\n");
    let (head, body) = answer.split_at(end.map_or(answer.len(), |end| end + 4));
    let head = String::from_utf8_lossy(head);
    let status = head.split_whitespace().nth(1);
    let status = status.and_then(|text| text.parse().ok()).unwrap_or(0);
    Ok((status, body.to_vec()))
}
