//! Reads the text of PDF documents.

use std::path::Path;
use std::process::Command;

/// Returns the text of a document, or `None` on a machine without `pdftotext`.
pub fn text_of(pdf: &[u8]) -> Option<String> {
    assert!(pdf.starts_with(b"%PDF-"), "this is no PDF");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("document.pdf");
    std::fs::write(&file, pdf).unwrap();
    // `KEEP_DOCUMENTS` names a folder that keeps the documents for a person to look at.
    if let Some(kept) = std::env::var_os("KEEP_DOCUMENTS") {
        let hash = layby::secret::hash_token(&format!("{pdf:?}"));
        let name = format!("{}.pdf", data_encoding::HEXLOWER.encode(&hash[..4]));
        std::fs::write(Path::new(&kept).join(name), pdf).unwrap();
    }
    let read = Command::new("pdftotext")
        .args(["-layout", "-enc", "UTF-8"])
        .arg(&file)
        .arg("-")
        .output();
    let Ok(read) = read else {
        eprintln!("there is no pdftotext: the document is not read");
        return None;
    };
    assert!(read.status.success());
    Some(String::from_utf8(read.stdout).unwrap())
}

/// Checks that a document contains all of these sentences. White space is ignored.
#[track_caller]
pub fn says(pdf: &[u8], sentences: &[&str]) {
    let Some(text) = text_of(pdf) else { return };
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let read = plain(&text);
    for sentence in sentences {
        assert!(
            read.contains(&plain(sentence)),
            "{sentence} isn't in: {text}"
        );
    }
}

/// Returns the number of pages of a text.
pub fn pages(text: &str) -> usize {
    text.matches('\u{c}').count()
}
