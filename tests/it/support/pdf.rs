//! Reads documents.

use std::path::Path;
use std::process::Command;

/// What a document says, where the machine has a reader of PDF.
pub fn text_of(pdf: &[u8]) -> Option<String> {
    assert!(pdf.starts_with(b"%PDF-"), "this is no PDF");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("document.pdf");
    std::fs::write(&file, pdf).unwrap();
    // For somebody who wants to look at them.
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

/// That a document says all of these; white space doesn't matter.
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

/// How many pages a text was read from.
pub fn pages(text: &str) -> usize {
    text.matches('\u{c}').count()
}
