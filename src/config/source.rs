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
    /// Several of these errors, each on a line of its own.
    #[error("{}", lines(.0))]
    Many(Vec<Self>),
}

fn lines(errors: &[ConfigError]) -> String {
    let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

impl ConfigError {
    pub(super) fn invalid(key: &str, rule: &str, source: SettingSource) -> Self {
        Self::Invalid(key.to_owned(), rule.to_owned(), source)
    }
}

/// The mistakes found so far.
#[derive(Debug, Default)]
pub(super) struct Mistakes(Vec<ConfigError>);

impl Mistakes {
    /// Returns the value of a successful check. Adds the error of a failed one. Leaves out a conflict that names a
    /// setting with a mistake, because the check read that setting's default.
    pub(super) fn note<T>(&mut self, checked: Result<T, ConfigError>) -> Option<T> {
        let error = match checked {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        let follows = |earlier: &ConfigError| match (earlier, &error) {
            (ConfigError::Invalid(key, ..), ConfigError::Conflict(why)) => why.contains(key),
            _ => false,
        };
        if !self.0.iter().any(follows) {
            self.0.push(error);
        }
        None
    }

    /// Adds a conflict if the settings are wrong.
    pub(super) fn refuse_if(&mut self, is_wrong: bool, why: &'static str) {
        if is_wrong {
            self.note::<()>(Err(ConfigError::Conflict(why)));
        }
    }

    /// Returns the only mistake as the error, or all of them together.
    pub(super) fn into_result(mut self) -> Result<(), ConfigError> {
        match self.0.pop() {
            None => Ok(()),
            Some(only) if self.0.is_empty() => Err(only),
            Some(last) => {
                self.0.push(last);
                Err(ConfigError::Many(self.0))
            }
        }
    }
}
