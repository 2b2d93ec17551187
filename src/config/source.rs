//! The source of a setting, and the errors of settings.

use std::fmt;

use thiserror::Error;

#[derive(Clone, Debug)]
pub enum SettingSource {
    /// The default, because nobody gave a value.
    Default,
    /// A line of the settings file, counted from 1.
    File(String, usize),
    Variable(String),
    Flag(String),
    /// A file with one secret, by its path.
    SecretFile(String),
}

impl fmt::Display for SettingSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => write!(f, "the default"),
            Self::File(name, line) => write!(f, "{name} line {line}"),
            Self::Variable(name) => write!(f, "environment variable {name}"),
            Self::Flag(name) => write!(f, "flag {name}"),
            Self::SecretFile(path) => write!(f, "file {path}"),
        }
    }
}

/// The reason why the settings can't be used, in one sentence. No sentence contains a value, because a value
/// may be a secret.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// A file of settings or of one secret can't be read: its name and the system's error.
    #[error("can't read the settings file {0}: {1}")]
    Unreadable(String, std::io::Error),
    /// The file of a secret has no text.
    #[error("the file {0} holds no secret")]
    EmptySecret(String),
    /// The file is not TOML: its name, the line counted from 1, and the parser's error.
    #[error("{0} line {1} is not valid TOML: {2}")]
    Syntax(String, usize, String),
    /// The value of this environment variable is not UTF-8.
    #[error("the environment variable {0} is not valid UTF-8")]
    NotText(String),
    /// The key doesn't exist: its full path and its source.
    #[error("{0} is not a setting ({1})")]
    Unknown(String, SettingSource),
    /// The value can't be used: the key's full path, the requirement, and the source.
    #[error("{0} must be {1} ({2})")]
    Invalid(String, String, SettingSource),
    /// Texts that are still samples: their keys.
    #[error("a shop in production mode needs texts of its own, and these are still samples: {0}")]
    Samples(String),
    /// Settings that are valid alone, but not together or not in production mode.
    #[error("{0}")]
    Conflict(&'static str),
}

impl ConfigError {
    pub(super) fn invalid(key: &str, rule: &str, source: SettingSource) -> Self {
        Self::Invalid(key.to_owned(), rule.to_owned(), source)
    }

    pub(super) const fn refuse(why: &'static str) -> Result<(), Self> {
        Err(Self::Conflict(why))
    }
}
