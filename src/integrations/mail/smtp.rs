//! Sends letters to a mail server.
//!
//! Each letter has its own connection. A shared pool would save a handshake. But the library's pool
//! reuses a connection even after sending was interrupted. The next letter would then read the
//! answers to the interrupted letter.

use std::net::IpAddr;
use std::time::Duration;

use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, MailParameter};
use lettre::transport::smtp::response::Severity;

use super::MailError;
use super::message::EncodedLetter;
use crate::config::{Security, Smtp};

/// Longest time for the server to close the connection.
const GOOD_BYE: Duration = Duration::from_secs(2);

/// A mail server, with its security and log-in.
pub(super) struct SmtpServer {
    host: String,
    port: u16,
    security: Security,
    tls: TlsParameters,
    login: Option<Credentials>,
    timeout: Duration,
    we: ClientId,
}

impl SmtpServer {
    pub(super) fn new(config: &Smtp, our_host: &str) -> Result<Self, MailError> {
        let mut tls = TlsParameters::builder(config.host.clone());
        if let Some(path) = &config.ca_file {
            let unusable = |why: &str| {
                let path = path.display();
                MailError::Unavailable(format!("mail.smtp.ca_file: {path} {why}"))
            };
            let pem = std::fs::read(path)
                .map_err(|error| unusable(&format!("can't be read: {error}")))?;
            let holds_some = String::from_utf8_lossy(&pem).contains("-----BEGIN CERTIFICATE-----");
            let certificates = Certificate::from_pem(&pem).ok().filter(|_| holds_some);
            let certificates =
                certificates.ok_or_else(|| unusable("holds no certificate in PEM"))?;
            tls = tls.add_root_certificate(certificates);
        }
        let login = config.username.clone().zip(config.password.as_ref());
        let login = login.map(|(name, password)| Credentials::new(name, password.expose().into()));
        Ok(Self {
            host: config.host.clone(),
            port: config.port,
            security: config.security,
            tls: tls.build().map_err(|error| in_front("TLS", &error))?,
            login,
            timeout: config.timeout,
            we: greeting(our_host),
        })
    }

    /// Sends a letter. One time limit covers all steps. A slow server that sends single bytes would
    /// never exceed a limit for each answer.
    pub(super) async fn send(&self, letter: &EncodedLetter) -> Result<(), MailError> {
        let handed_over = tokio::time::timeout(self.timeout, async {
            let mut connection = self.connect().await?;
            let result = submit(&mut connection, letter).await;
            Ok((connection, result))
        });
        match handed_over.await {
            Ok(Ok((connection, result))) => {
                // The server's answer to the letter is final. Closing the connection may take
                // longer.
                tokio::spawn(quit(connection));
                result
            }
            Ok(Err(error)) => Err(error),
            Err(_) => Err(self.slow()),
        }
    }

    /// Connects, logs in, and ends the connection.
    pub(super) async fn check(&self) -> Result<(), MailError> {
        match tokio::time::timeout(self.timeout, self.connect()).await {
            Ok(connected) => {
                quit(connected?).await;
                Ok(())
            }
            Err(_) => Err(self.slow()),
        }
    }

    fn slow(&self) -> MailError {
        let seconds = self.timeout.as_secs();
        MailError::Unavailable(format!("the mail server took longer than {seconds} s"))
    }

    /// Connects and logs in. The letter can't cause an error here, so the error allows a retry.
    async fn connect(&self) -> Result<AsyncSmtpConnection, MailError> {
        let from_the_start = (self.security == Security::Tls).then(|| self.tls.clone());
        let mut connection = AsyncSmtpConnection::connect_tokio1(
            (self.host.as_str(), self.port),
            Some(self.timeout),
            &self.we,
            from_the_start,
            None,
        )
        .await
        .map_err(|error| in_front("connecting", &error))?;
        if self.security == Security::StartTls {
            connection
                .starttls(self.tls.clone(), &self.we)
                .await
                .map_err(|error| in_front("STARTTLS", &error))?;
        }
        if let Some(login) = &self.login {
            connection
                .auth(DEFAULT_MECHANISMS, login)
                .await
                .map_err(|error| in_front("logging in", &error))?;
        }
        Ok(connection)
    }
}

async fn submit(
    connection: &mut AsyncSmtpConnection,
    letter: &EncodedLetter,
) -> Result<(), MailError> {
    if let Err(error) = connection
        .command(Mail::new(Some(letter.from.clone()), size(letter)))
        .await
    {
        if letter.has_attachments && is_permanent(&error) {
            let why = error_description("naming the size", &error);
            return Err(MailError::AttachmentsRefused(why));
        }
        // A refused sender is an error in the settings.
        return Err(in_front("naming the sender", &error));
    }
    connection
        .command(Rcpt::new(letter.to.clone(), Vec::new()))
        .await
        .map_err(|error| recipient_error("naming the recipient", &error))?;
    connection
        .command(Data)
        .await
        .map_err(|error| recipient_error("announcing the letter", &error))?;
    connection.message(&letter.bytes).await.map_err(|error| {
        match recipient_error("handing over the letter", &error) {
            MailError::Unavailable(why) if letter.has_attachments && is_permanent(&error) => {
                MailError::AttachmentsRefused(why)
            }
            other => other,
        }
    })?;
    Ok(())
}

/// Returns the parameter that names the size of a letter with attachments (RFC 1870). A server with a limit
/// then refuses a large letter before it is sent.
fn size(letter: &EncodedLetter) -> Vec<MailParameter> {
    let size = MailParameter::Size(letter.bytes.len());
    letter.has_attachments.then_some(size).into_iter().collect()
}

fn is_permanent(error: &Error) -> bool {
    error
        .status()
        .is_some_and(|code| code.severity == Severity::PermanentNegativeCompletion)
}

async fn quit(mut connection: AsyncSmtpConnection) {
    // Nothing depends on the answer.
    let _ = tokio::time::timeout(GOOD_BYE, connection.abort()).await;
}

/// Returns our name for the mail server. This machine's own name must not be published.
fn greeting(host: &str) -> ClientId {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse() {
        Ok(IpAddr::V4(ip)) => ClientId::Ipv4(ip),
        Ok(IpAddr::V6(ip)) => ClientId::Ipv6(ip),
        Err(_) => ClientId::Domain(host.to_owned()),
    }
}

/// Returns an error that the letter didn't cause.
fn in_front(step: &str, error: &Error) -> MailError {
    MailError::Unavailable(error_description(step, error))
}

/// Maps an error after the recipient was named. Only a permanent code about the recipient's address
/// (5.1.x, RFC 3463) refuses the mailbox. Other errors may pass or be corrected. Examples are a full
/// mailbox (5.2.2), a policy against our domain (5.7.x), and an answer without an enhanced code.
fn recipient_error(step: &str, error: &Error) -> MailError {
    let text = error_description(step, error);
    let words = error.to_string();
    if is_permanent(error) && enhanced_code(&words).is_some_and(is_about_recipient) {
        MailError::Refused(text)
    } else {
        MailError::Unavailable(text)
    }
}

/// Returns whether a code is about the recipient's address. 5.1.7 and 5.1.8 are about the sender's address.
/// Many servers check the sender only when they receive the recipient.
fn is_about_recipient(code: &str) -> bool {
    code.starts_with("5.1.") && !matches!(code, "5.1.7" | "5.1.8")
}

/// Returns the error without the server's text, which often contains the address.
fn error_description(step: &str, error: &Error) -> String {
    let text = error.to_string();
    let what = match error.status() {
        Some(code) => match enhanced_code(&text) {
            Some(more) => format!("the mail server answered {code} {more}"),
            None => format!("the mail server answered {code}"),
        },
        None if error.is_response() => "the mail server's answer made no sense".to_owned(),
        None => text,
    };
    format!("{step}: {what}")
}

/// Returns the enhanced code, such as 5.1.1, or `None` if the text has none.
fn enhanced_code(text: &str) -> Option<&str> {
    text.split_whitespace().find(|word| {
        let mut numbers = word.split('.');
        let digits = |n: &str| (1..=3).contains(&n.len()) && n.bytes().all(|b| b.is_ascii_digit());
        matches!(numbers.next(), Some("4" | "5"))
            && numbers.clone().count() == 2
            && numbers.all(digits)
    })
}
