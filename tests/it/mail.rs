//! Letters to customers, and their sending.

mod attachments;
mod limits;
mod outbox;
mod queues;
mod quotes;
pub mod server;
mod smtp;
mod templates;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use layby::config::{Config, Layers};
use layby::integrations::mail::{MailError, Mailer, Outgoing};

/// An id with its time, noon in London on 21 November 2026, and random bits.
const ID: &str = "01a1fdfa-4600-7abc-8def-0123456789ab";
const LINK: &str =
    "https://cover.example.org/reset-password?aid=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyMDE";

fn outgoing() -> Outgoing {
    Outgoing {
        id: ID.parse().unwrap(),
        to: "ann@example.org".to_owned(),
        subject: "Set your password".to_owned(),
        html: format!("<p>\n<a href=\"{LINK}\">Set it</a></p>\n"),
        text: format!("Set it:\n{LINK}\n\n.\nA line that begins with a dot.\n"),
        attachments: Vec::new(),
    }
}

fn mailer(settings: &[(&str, &str)], data: &Path) -> Mailer {
    let env = settings
        .iter()
        .map(|(key, value)| (format!("LAYBY_MAIL__{key}"), (*value).to_owned()));
    let layers = Layers {
        env: env.collect(),
        ..Layers::default()
    };
    let config = Config::load(&layers).unwrap();
    Mailer::new(&config.mail, data).unwrap_or_else(|error| panic!("{error}"))
}

fn files(data: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(data.join("mail"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    found.sort();
    found
}

/// Returns the only letter in the folder.
fn only(data: &Path) -> String {
    let files = files(data);
    assert_eq!(files.len(), 1, "{files:?}");
    fs::read_to_string(&files[0]).unwrap()
}

/// Returns the header lines, unfolded.
fn headers(letter: &str) -> Vec<String> {
    let (head, _) = letter.split_once("\r\n\r\n").unwrap();
    let unfolded = head.replace("\r\n ", " ").replace("\r\n\t", " ");
    unfolded.split("\r\n").map(str::to_owned).collect()
}

#[tokio::test]
async fn without_a_server_a_letter_is_a_file_that_people_can_read() {
    let data = tempfile::tempdir().unwrap();
    let mailer = mailer(&[], data.path());
    mailer.send(&outgoing()).await.unwrap();

    let name = files(data.path())[0].file_name().unwrap().to_owned();
    assert_eq!(
        name.to_str(),
        Some(format!("20261121T120000Z-{ID}.eml")).as_deref()
    );
    let letter = only(data.path());
    assert_eq!(
        headers(&letter),
        [
            &format!("Message-ID: <{ID}@layby.example>"),
            "Date: Sat, 21 Nov 2026 12:00:00 +0000",
            "From: layby <help@layby.example>",
            "To: ann@example.org",
            "Subject: Set your password",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
            &format!(
                "Content-Type: multipart/alternative; boundary=\"=_{}\"",
                ID.replace('-', "")
            ),
        ]
    );
    let plain = letter
        .find("Content-Type: text/plain; charset=utf-8")
        .unwrap();
    let html = letter
        .find("Content-Type: text/html; charset=utf-8")
        .unwrap();
    assert!(plain < html);
    assert!(letter.lines().any(|line| line == LINK), "{letter}");
    assert!(!letter.contains("base64"));
}

#[tokio::test]
async fn a_letter_that_is_sent_again_is_the_same_file() {
    let data = tempfile::tempdir().unwrap();
    let mailer = mailer(&[], data.path());
    mailer.send(&outgoing()).await.unwrap();
    let first = only(data.path());
    mailer.send(&outgoing()).await.unwrap();
    assert_eq!(only(data.path()), first);
}

#[cfg(unix)]
#[tokio::test]
async fn letters_in_the_folder_are_for_the_servers_own_user_only() {
    use std::os::unix::fs::PermissionsExt;
    let data = tempfile::tempdir().unwrap();
    mailer(&[], data.path()).send(&outgoing()).await.unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&data.path().join("mail")), 0o700);
    assert_eq!(mode(&files(data.path())[0]), 0o600);
}

#[tokio::test]
async fn the_folder_never_holds_half_a_letter() {
    let data = tempfile::tempdir().unwrap();
    let mailer = mailer(&[], data.path());
    // An unfinished file of a power cut is no letter, and is overwritten.
    let unfinished = data
        .path()
        .join(format!("mail/.20261121T120000Z-{ID}.part"));
    fs::write(&unfinished, "Message-ID: <").unwrap();
    mailer.send(&outgoing()).await.unwrap();
    assert!(only(data.path()).ends_with("--\r\n"));

    // A failed write leaves no letter, and is retried.
    let data = tempfile::tempdir().unwrap();
    let other = self::mailer(&[], data.path());
    fs::create_dir(
        data.path()
            .join(format!("mail/.20261121T120000Z-{ID}.part")),
    )
    .unwrap();
    let error = other.send(&outgoing()).await.unwrap_err();
    assert!(matches!(&error, MailError::Unavailable(_)), "{error}");
    assert!(
        files(data.path())
            .iter()
            .all(|path| path.extension().unwrap() != "eml")
    );
}

#[tokio::test]
async fn words_beyond_ascii_stand_in_the_file_as_they_are() {
    let data = tempfile::tempdir().unwrap();
    let sender = "Pannenhilfe Z\u{fc}rich <help@example.org>";
    let mailer = mailer(&[("FROM", sender)], data.path());
    let mut mail = outgoing();
    mail.subject = "Caf\u{e9} \u{2013} 30 \u{a3}".to_owned();
    mail.text = format!("Caf\u{e9} for 30 \u{a3}:\n{LINK}\n");
    mailer.send(&mail).await.unwrap();
    let letter = only(data.path());
    assert!(letter.contains("Content-Transfer-Encoding: 8bit"));
    assert!(letter.contains("Caf\u{e9} for 30 \u{a3}:\r\n"));
    assert!(letter.lines().any(|line| line == LINK));
    assert!(
        headers(&letter).iter().all(|line| line.is_ascii()),
        "{letter}"
    );
}

#[tokio::test]
async fn nothing_that_somebody_typed_begins_a_header() {
    let data = tempfile::tempdir().unwrap();
    let mailer = mailer(&[], data.path());
    mailer.send(&outgoing()).await.unwrap();
    let honest = headers(&only(data.path())).len();
    for bad in [
        "Hi\r\nBcc: eve@example.org",
        "Hi\nBcc: eve@example.org",
        "Hi\rBcc: eve@example.org",
        "Hi\r\n\r\n<p>Eve's own text</p>",
        "Hi\u{2028}Bcc: eve@example.org\u{85}Cc: eve@example.org",
        "H\u{e9}\r\nBcc: eve@example.org",
        &format!("{}\r\nBcc: eve@example.org", "long ".repeat(60)),
    ] {
        let mut mail = outgoing();
        mail.subject = bad.to_owned();
        mailer.send(&mail).await.unwrap();
        let headers = headers(&only(data.path()));
        assert_eq!(headers.len(), honest, "{headers:?}");
        for name in ["Bcc", "Cc"] {
            assert!(
                !headers.iter().any(|line| line.starts_with(name)),
                "{headers:?}"
            );
        }
    }
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_and_stays_out_of_the_message() {
    let data = tempfile::tempdir().unwrap();
    let mailer = mailer(&[], data.path());
    for bad in [
        "",
        "ann",
        "ann@example.org\r\nBcc: eve@example.org",
        "ann@example.org, eve@example.org",
        "ann@example.org>\r\nRCPT TO:<eve@example.org",
        "Ann <ann@example.org>",
        "\"ann\\r\\n\"@example.org",
        "ann@example.org\0",
        "\u{e5}nn@example.org",
    ] {
        let mut mail = outgoing();
        mail.to = bad.to_owned();
        let error = mailer.send(&mail).await.unwrap_err();
        assert!(matches!(error, MailError::Refused(_)), "{bad:?}: {error}");
        assert!(!error.to_string().contains("ann"), "{error}");
    }
    assert!(files(data.path()).is_empty());
}

#[tokio::test]
async fn the_log_names_the_file_and_neither_address_nor_words() {
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);
    impl std::io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    crate::support::log::open_all();
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let data = tempfile::tempdir().unwrap();
    mailer(&[], data.path()).send(&outgoing()).await.unwrap();
    drop(guard);
    let said = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(said.contains("nobody is sent any"), "{said}");
    assert!(said.contains(&format!("{ID}.eml")), "{said}");
    for private in ["ann@", "reset-password", "Set it", "Set your password"] {
        assert!(!said.contains(private), "{said}");
    }
}
