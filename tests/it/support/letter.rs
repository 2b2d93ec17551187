//! A letter as its reader sees it.

/// A letter as its reader sees it.
#[derive(Clone, Debug)]
pub struct Letter {
    pub to: String,
    pub subject: String,
    pub text: String,
}

impl Letter {
    pub(super) fn read(letter: &str) -> Self {
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

    /// What opens a quote again.
    #[track_caller]
    pub fn secret_of(&self, quote: &str) -> String {
        self.link(&format!("/quote/edit/{quote}#resume="))
    }

    /// What follows `before` on the line of the link that has it.
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
