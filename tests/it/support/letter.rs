//! Letters as their recipient reads them.

/// A letter as its recipient reads it.
#[derive(Clone, Debug)]
pub struct Letter {
    pub to: String,
    pub subject: String,
    /// The letter without its attachments.
    pub text: String,
    /// The attachments, each with its file name.
    pub files: Vec<(String, Vec<u8>)>,
}

impl Letter {
    pub fn read(letter: &str) -> Self {
        let parts: Vec<&str> = letter.split("\r\n--=_files_").collect();
        let (texts, files) = parts.split_at(parts.len().min(2));
        let header = |name: &str| {
            let line = letter.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap().trim().to_string()
        };
        Self {
            to: header("To:"),
            subject: header("Subject:"),
            text: texts.concat(),
            files: files.iter().filter_map(|part| file(part)).collect(),
        }
    }

    /// Returns the names of the attachments.
    pub fn file_names(&self) -> Vec<&str> {
        let names = self.files.iter().map(|(name, _)| name.as_str());
        names.collect()
    }

    /// Returns the secret in the letter that reopens a quote.
    #[track_caller]
    pub fn secret_of(&self, quote: &str) -> String {
        self.link(&format!("/quote/edit/{quote}#resume="))
    }

    /// Returns the rest of the line after `before`, from the line with the link.
    #[track_caller]
    pub fn link(&self, before: &str) -> String {
        let line = self
            .text
            .lines()
            .find(|line| line.starts_with("http") && line.contains(before));
        let line = line.unwrap_or_else(|| panic!("no link with {before} in {}", self.text));
        line.split_once(before).unwrap().1.trim().to_string()
    }
}

/// Returns the name and the content of an attachment, or `None` for the end of the letter.
fn file(part: &str) -> Option<(String, Vec<u8>)> {
    let (head, body) = part.split_once("\r\n\r\n")?;
    let (_, name) = head.split_once("filename=\"")?;
    let (name, _) = name.split_once('"')?;
    let content = if head.contains("base64") {
        let encoded = body.replace("\r\n", "");
        data_encoding::BASE64.decode(encoded.as_bytes()).unwrap()
    } else {
        body.as_bytes().to_vec()
    };
    Some((name.to_string(), content))
}
