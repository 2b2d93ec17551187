//! Merges the compiled-in defaults with what the operator gave, and remembers who gave what.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use thiserror::Error;
use toml::de::{DeArray, DeTable, DeValue};

use super::value::{Record, Value};

/// The defaults, which are also the list of every key there is and of its type.
const DEFAULTS: &str = include_str!("../../config.toml");

/// Every variable of the environment that is ours begins like this.
const PREFIX: &str = "LAYBY_";

/// Starts the clock at another time.
pub(super) const CLOCK: &str = "LAYBY_CLOCK";

/// Ours, but read while building and developing, not while running.
const ELSEWHERE: [&str; 2] = ["LAYBY_SKIP_UI", "LAYBY_DEV_API"];

/// What the operator gave, later ones winning over earlier ones. Plain data, so that a test
/// needs neither files nor an environment.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The settings file: the name to use in messages, and its text.
    pub file: Option<(String, String)>,
    /// Variables of the environment. Those that do not begin `LAYBY_` are ignored.
    pub env: Vec<(String, String)>,
    /// Flags of the command line, as the key each one sets and its value. In messages a flag
    /// goes by the last word of its key: `server.listen` is `--listen`.
    pub flags: Vec<(String, String)>,
}

impl Sources {
    /// Collects what this process was given: the file of `--config`, the environment and flags.
    ///
    /// # Errors
    /// When the file can't be read, or a variable of ours is not UTF-8.
    pub fn of_process(
        config: Option<&Path>,
        flags: Vec<(String, String)>,
    ) -> Result<Self, ConfigError> {
        let file = match config {
            None => None,
            Some(path) => {
                let name = path.display().to_string();
                match std::fs::read_to_string(path) {
                    Ok(text) => Some((name, text)),
                    Err(reason) => return Err(ConfigError::Unreadable { name, reason }),
                }
            }
        };
        let mut env = Vec::new();
        for (name, value) in std::env::vars_os() {
            let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else {
                continue;
            };
            match value.into_string() {
                Ok(value) => env.push((name.to_owned(), value)),
                Err(_) => {
                    return Err(ConfigError::NotText {
                        name: name.to_owned(),
                    });
                }
            }
        }
        Ok(Self { file, env, flags })
    }

    /// The value of a variable of the environment.
    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        let (_, value) = self.env.iter().rev().find(|(key, _)| key == name)?;
        Some(value)
    }
}

/// Why the settings can't be used, in one sentence.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file of `--config` can't be read.
    #[error("can't read the settings file {name}: {reason}")]
    Unreadable {
        /// The file.
        name: String,
        /// What the system said.
        reason: std::io::Error,
    },
    /// The file is not TOML.
    #[error("{name} line {line} is not valid TOML: {reason}")]
    Syntax {
        /// The file.
        name: String,
        /// The line, counted from 1.
        line: usize,
        /// What the parser said.
        reason: String,
    },
    /// A variable's value is not UTF-8.
    #[error("the environment variable {name} is not valid UTF-8")]
    NotText {
        /// The variable.
        name: String,
    },
    /// There is no such key.
    #[error("{key} is not a setting ({by})")]
    Unknown {
        /// The key's full path.
        key: String,
        /// Who gave it.
        by: Giver,
    },
    /// The value can't be used.
    #[error("{key} must be {wanted} ({by})")]
    Invalid {
        /// The key's full path.
        key: String,
        /// What it must be.
        wanted: String,
        /// Who gave it.
        by: Giver,
    },
    /// Settings that are fine alone but not together.
    #[error("{0}")]
    Conflict(String),
}

/// Who gave a value.
#[derive(Clone, Debug)]
pub enum Giver {
    /// Nobody: it is the default.
    Default,
    /// A line of the settings file.
    File(String, usize),
    /// A variable of the environment.
    Variable(String),
    /// A flag of the command line.
    Flag(String),
}

impl fmt::Display for Giver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => write!(f, "the default"),
            Self::File(name, line) => write!(f, "{name} line {line}"),
            Self::Variable(name) => write!(f, "environment variable {name}"),
            Self::Flag(name) => write!(f, "flag {name}"),
        }
    }
}

/// The settings that are [`Value::Records`]. Their default, none, is an empty list.
const RECORDS: [&str; 2] = ["partners", "site.external_documents"];

/// Every setting by its dotted key, with who gave it.
pub(super) struct Merged(BTreeMap<String, (Value, Giver)>);

impl Merged {
    pub(super) fn new(sources: &Sources) -> Result<Self, ConfigError> {
        let mut merged = Self(BTreeMap::new());
        merged.add_file("config.toml", DEFAULTS, true)?;
        if let Some((name, text)) = &sources.file {
            merged.add_file(name, text, false)?;
        }
        merged.add_environment(&sources.env)?;
        for (key, value) in &sources.flags {
            let flag = format!("--{}", key.rsplit('.').next().unwrap_or(key));
            merged.add_text(key, value, Giver::Flag(flag))?;
        }
        Ok(merged)
    }

    pub(super) fn get(&self, key: &str) -> Option<&(Value, Giver)> {
        self.0.get(key)
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    fn add_file(&mut self, name: &str, text: &str, defaults: bool) -> Result<(), ConfigError> {
        let parsed = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
            name: name.to_owned(),
            line: line_of(text, error.span().map_or(0, |span| span.start)),
            reason: error.message().to_owned(),
        })?;
        let file = File {
            name,
            text,
            defaults,
        };
        self.add_table(&file, "", parsed.get_ref())
    }

    fn add_table(
        &mut self,
        file: &File<'_>,
        prefix: &str,
        table: &DeTable<'_>,
    ) -> Result<(), ConfigError> {
        for (name, value) in table {
            let key = format!("{prefix}{}", name.get_ref());
            let line = line_of(file.text, name.span().start);
            let by = Giver::File(file.name.to_owned(), line);
            let section = format!("{key}.");
            let is_section = self.0.keys().any(|known| known.starts_with(&section));
            match (value.get_ref(), self.0.get(&key)) {
                (DeValue::Array(items), _) if RECORDS.contains(&key.as_str()) => {
                    let records = records(file, &key, items).ok_or_else(|| {
                        let wanted = "sections with two brackets".to_owned();
                        let (key, by) = (key.clone(), by.clone());
                        ConfigError::Invalid { key, wanted, by }
                    })?;
                    self.0.insert(key, (Value::Records(records), by));
                }
                (DeValue::Table(inner), None) if is_section || file.defaults => {
                    self.add_table(file, &section, inner)?;
                }
                (_, None) if is_section => {
                    let wanted = "a section".to_owned();
                    return Err(ConfigError::Invalid { key, wanted, by });
                }
                (value, None) if file.defaults => {
                    let Some(value) = Value::of_toml(value) else {
                        let wanted = "text, a whole number, true or false, or a list".to_owned();
                        return Err(ConfigError::Invalid { key, wanted, by });
                    };
                    self.0.insert(key, (value, Giver::Default));
                }
                (_, None) => return Err(ConfigError::Unknown { key, by }),
                (value, Some((known, _))) => {
                    match Value::of_toml(value).filter(|value| value.same_type(known)) {
                        Some(value) => self.0.insert(key, (value, by)),
                        None => {
                            let wanted = known.wanted().to_owned();
                            return Err(ConfigError::Invalid { key, wanted, by });
                        }
                    };
                }
            }
        }
        Ok(())
    }

    fn add_environment(&mut self, env: &[(String, String)]) -> Result<(), ConfigError> {
        let keys: BTreeMap<String, String> = self
            .0
            .keys()
            .map(|key| {
                let name = key.to_ascii_uppercase().replace('.', "__");
                (format!("{PREFIX}{name}"), key.clone())
            })
            .collect();
        for (name, value) in env {
            if !name.starts_with(PREFIX) || name == CLOCK || ELSEWHERE.contains(&name.as_str()) {
                continue;
            }
            let by = Giver::Variable(name.clone());
            let Some(key) = keys.get(name) else {
                let key = name.trim_start_matches(PREFIX).to_ascii_lowercase();
                let key = key.replace("__", ".");
                return Err(ConfigError::Unknown { key, by });
            };
            self.add_text(key, value, by)?;
        }
        Ok(())
    }

    fn add_text(&mut self, key: &str, text: &str, by: Giver) -> Result<(), ConfigError> {
        let key = key.to_owned();
        let Some((known, _)) = self.0.get(&key) else {
            return Err(ConfigError::Unknown { key, by });
        };
        let Some(value) = known.of_text(text) else {
            let wanted = known.wanted().to_owned();
            return Err(ConfigError::Invalid { key, wanted, by });
        };
        self.0.insert(key, (value, by));
        Ok(())
    }
}

/// The settings file that is being read.
struct File<'a> {
    name: &'a str,
    text: &'a str,
    /// Whether its keys are declared by it, or must exist already.
    defaults: bool,
}

/// The sections called `key`; none when something else stands among them.
fn records(file: &File<'_>, key: &str, items: &DeArray<'_>) -> Option<Vec<Record>> {
    let record = |(number, item): (usize, &toml::Spanned<DeValue<'_>>)| {
        let DeValue::Table(table) = item.get_ref() else {
            return None;
        };
        let field = |(name, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
            let name: &std::borrow::Cow<'_, str> = name.get_ref();
            Some((name.to_string(), Value::of_toml(value.get_ref())?))
        };
        Some(Record {
            name: format!("{key}[{number}]"),
            file: file.name.to_owned(),
            line: line_of(file.text, item.span().start),
            fields: table.iter().map(field).collect::<Option<_>>()?,
        })
    };
    items.iter().enumerate().map(record).collect()
}

fn line_of(text: &str, offset: usize) -> usize {
    let before = text.bytes().take(offset);
    before.filter(|byte| *byte == b'\n').count() + 1
}
