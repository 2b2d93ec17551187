//! A mail server from another project (`tests/smtp`), run by Node.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use serde_json::{Value, json};

/// A running server. It stops when it is dropped.
pub struct Server {
    child: Child,
    heard: Receiver<Value>,
    pub port: u16,
}

impl Server {
    /// Starts a server. `tests/smtp/server.mjs` lists its `options`.
    pub fn start(options: &Value) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/smtp");
        assert!(
            folder.join("node_modules/smtp-server").exists(),
            "the tests' mail server is not installed: run `npm ci` in tests/smtp, \
             or tests/run, which does"
        );
        let mut child = Command::new("node")
            .arg(folder.join("server.mjs"))
            .arg(options.to_string())
            // The server ends when its standard input closes, so no server outlives a killed test.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("the tests' mail server needs Node 20 or later on the path: {error}")
            });
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (say, heard) = channel();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let _ = say.send(serde_json::from_str(&line).unwrap());
            }
        });
        let mut server = Self {
            child,
            heard,
            port: 0,
        };
        let port = server.next()["port"].as_u64().unwrap();
        server.port = port.try_into().unwrap();
        server
    }

    /// Returns the next event of the server.
    pub fn next(&self) -> Value {
        self.heard
            .recv_timeout(Duration::from_secs(20))
            .expect("the mail server heard nothing more")
    }

    /// Returns the next letter that the server accepted.
    pub fn letter(&self) -> Value {
        loop {
            let heard = self.next();
            if heard.get("letter").is_some() {
                return heard;
            }
        }
    }

    /// Stops the server. Returns all events that were not read yet.
    pub fn stop(mut self) -> Vec<Value> {
        drop(self.child.stdin.take());
        self.child.wait().unwrap();
        self.heard.iter().collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes a test certificate authority to `ca.pem`, and a certificate signed by it to `cert.pem` and
/// `key.pem`.
pub fn certificates(folder: &Path, host: &str) {
    let mut ca = CertificateParams::new(Vec::new()).unwrap();
    ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let ca_key = KeyPair::generate().unwrap();
    let ca_cert = ca.self_signed(&ca_key).unwrap();
    let issuer = Issuer::new(ca, ca_key);
    let key = KeyPair::generate().unwrap();
    let cert = CertificateParams::new(vec![host.to_owned()])
        .unwrap()
        .signed_by(&key, &issuer)
        .unwrap();
    for (name, pem) in [
        ("ca.pem", ca_cert.pem()),
        ("cert.pem", cert.pem()),
        ("key.pem", key.serialize_pem()),
    ] {
        std::fs::write(folder.join(name), pem).unwrap();
    }
}

/// Returns the options of a server with the certificate in `folder`.
pub fn encrypted(tls: &str, folder: &Path) -> Value {
    json!({ "tls": tls, "cert": folder.join("cert.pem"), "key": folder.join("key.pem") })
}
