//! Letters as their recipient reads them.

/// A letter as its recipient reads it.
#[derive(Clone, Debug)]
pub struct Letter {
    pub to: String,
    pub subject: String,
    pub text: String,
}

impl Letter {
    pub fn read(letter: &str) -> Self {
        let header = |name: &str| {
            let line = letter.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap().trim().to_string()
        };
        Self {
            to: header("To:"),
            subject: header("Subject:"),
            text: letter.to_string(),
        }
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
