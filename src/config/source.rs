//! Who gave a setting, and why the settings can't be used.

use std::fmt;

use thiserror::Error;

/// Who gave a value.
#[derive(Clone, Debug)]
pub enum SettingSource {
    /// Nobody: it is the default.
    Default,
    /// A line of the settings file, counted from 1.
    File(String, usize),
    /// A variable of the environment.
    Variable(String),
    /// A flag of the command line.
    Flag(String),
}

impl fmt::Display for SettingSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => write!(f, "the default"),
            Self::File(name, line) => write!(f, "{name} line {line}"),
            Self::Variable(name) => write!(f, "environment variable {name}"),
            Self::Flag(name) => write!(f, "flag {name}"),
        }
    }
}

/// Why the settings can't be used, in one sentence. No sentence holds a value, because a value
/// may be a secret.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file of `--config` can't be read: its name, and what the system said.
    #[error("can't read the settings file {0}: {1}")]
    Unreadable(String, std::io::Error),
    /// The file is not TOML: its name, the line counted from 1, and what the parser said.
    #[error("{0} line {1} is not valid TOML: {2}")]
    Syntax(String, usize, String),
    /// The value of this environment variable is not UTF-8.
    #[error("the environment variable {0} is not valid UTF-8")]
    NotText(String),
    /// There is no such key: its full path, and who gave it.
    #[error("{0} is not a setting ({1})")]
    Unknown(String, SettingSource),
    /// The value can't be used: the key's full path, what it must be, and who gave it.
    #[error("{0} must be {1} ({2})")]
    Invalid(String, String, SettingSource),
    /// Texts that are still the sample's: their keys.
    #[error("a shop in production mode needs texts of its own, and these are still samples: {0}")]
    Samples(String),
    /// Settings that are fine alone but not together.
    #[error("{0}")]
    Conflict(&'static str),
}

impl ConfigError {
    pub(super) fn invalid(key: &str, wanted: &str, source: SettingSource) -> Self {
        Self::Invalid(key.to_owned(), wanted.to_owned(), source)
    }
}
