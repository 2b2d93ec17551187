//! Merges the default settings with the operator's settings, and stores the source of each value.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Value;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::layers::{CLOCK, FILE_VARIABLE, Layers, PREFIX};
use super::source::{ConfigError, Mistakes, SettingSource};
use crate::toml_reader::{self, TypeMistake};

/// The default settings, which also define every key and its type.
const DEFAULTS: &str = include_str!("../../config.toml");

/// Environment variables with our prefix that set no key. The build, the development server and the tests
/// read the last three.
const NO_KEY: [&str; 5] = [
    CLOCK,
    FILE_VARIABLE,
    "LAYBY_SKIP_UI",
    "LAYBY_DEV_API",
    "LAYBY_TEST_STORE",
];

/// The keys whose value is a list of sections. Their default value, an empty list, does not show the type
/// of the items.
const SECTION_LISTS: [&str; 2] = ["partners", "site.external_documents"];

/// The secrets. An operator may put a secret into a file. The key with the suffix `_file` names the file, or
/// systemd passes it.
const SECRETS: [&str; 17] = [
    "store.password",
    "mail.smtp.password",
    "documents.s3.secret",
    "lookup.dvsa.client_secret",
    "lookup.dvsa.api_key",
    "lookup.ves.api_key",
    "lookup.ideal_postcodes.api_key",
    "lookup.os_places.api_key",
    "payments.sandbox.secret",
    "payments.stripe.secret_key",
    "payments.stripe.webhook_secrets",
    "payments.globalpayments.app_key",
    "payments.smartpayfuse.secret_key",
    "payments.smartpayfuse.previous_secret_key",
    "payments.smartpayfuse.rest_secret",
    "payments.smartpayfuse.encryption_certificate",
    "payments.smartpayfuse.decryption_key",
];

/// The secrets whose files are read at each connection, so that a new secret needs no restart.
const READ_LATER: [&str; 2] = ["store.password", "documents.s3.secret"];

/// The address of a database may contain a password.
const DATABASE: &str = "store.url";

/// All settings, after the merge of all layers.
pub(super) struct Settings {
    values: Value,
    /// Source of each key, and of each item of a list in the settings file, such as `partners[0]`. A key
    /// without a source has its default value.
    sources: BTreeMap<String, SettingSource>,
    defaults: Value,
    /// Names of ignored variables, which a container service set.
    pub(super) ignored: Vec<String>,
    pub(super) mistakes: Mistakes,
}

impl Settings {
    /// Merges the layers. Notes each mistake, and skips the value.
    ///
    /// # Errors
    /// If the settings file is not TOML.
    pub(super) fn merge(layers: &Layers) -> Result<Self, ConfigError> {
        let defaults: Value = parsed("config.toml", DEFAULTS, toml::from_str)?;
        let mut settings = Self {
            values: defaults.clone(),
            sources: BTreeMap::new(),
            defaults,
            ignored: Vec::new(),
            mistakes: Mistakes::default(),
        };
        if let Some((name, text)) = &layers.file {
            let table = parsed(name, text, DeTable::parse)?;
            let source = |offset| SettingSource::File(name.clone(), line_of(text, offset));
            settings.add_table("", table.get_ref(), &source);
        }
        for (name, text) in &layers.env {
            let word = name.strip_prefix(PREFIX);
            let Some(word) = word.filter(|_| !NO_KEY.contains(&name.as_str())) else {
                continue;
            };
            if is_of_container_service(word, text) {
                settings.ignored.push(name.clone());
                continue;
            }
            let key = word.to_ascii_lowercase().replace("__", ".");
            let source = SettingSource::Variable(name.clone());
            // Only one variable sets a key: the key in capitals, with two underscores for each dot.
            let added = if key.to_ascii_uppercase().replace('.', "__") == word {
                settings.add_text(&key, text, source)
            } else {
                Err(ConfigError::Unknown(key, source))
            };
            settings.mistakes.note(added);
        }
        for (key, text) in &layers.flags {
            let flag = format!("--{}", key.rsplit('.').next().unwrap_or(key));
            let added = settings.add_text(key, text, SettingSource::Flag(flag));
            settings.mistakes.note(added);
        }
        for key in SECRETS {
            let added = settings.read_secret_file(key, layers.credentials.as_deref());
            settings.mistakes.note(added);
        }
        Ok(settings)
    }

    /// Reads a secret for which a setting names a file, or which systemd passes in the folder `credentials`.
    /// Removes the name of a file that was read from the settings.
    fn read_secret_file(
        &mut self,
        key: &str,
        credentials: Option<&Path>,
    ) -> Result<(), ConfigError> {
        let file_key = format!("{key}_file");
        let named = self.find(&file_key).and_then(|path| path.as_str());
        let named = named.filter(|path| !path.is_empty()).map(PathBuf::from);
        let is_read_later = READ_LATER.contains(&key);
        if !is_read_later {
            let (section, name) = file_key.rsplit_once('.').unwrap_or_default();
            let section = self.find(section).and_then(Value::as_table_mut);
            section.map(|section| section.remove(name));
        }
        let is_given = self.sources.contains_key(key) && !self.is_default(key);
        if named.is_some() && is_given {
            let rule = format!("empty when {key} is given");
            return Err(self.invalid(&file_key, &rule));
        }
        let passed = credentials.map(|folder| folder.join(key));
        let passed = passed.filter(|path| path.exists());
        if passed.is_some() && (named.is_some() || is_given) {
            let other = if is_given { key } else { &file_key };
            return Err(self.invalid(other, "empty when systemd passes the secret"));
        }
        let Some(path) = passed.or_else(|| named.filter(|_| !is_read_later)) else {
            return Ok(());
        };
        let path = path.display().to_string();
        let text = std::fs::read_to_string(&path);
        let text = text.map_err(|why| ConfigError::Unreadable(path.clone(), why))?;
        if text.trim().is_empty() {
            return Err(ConfigError::EmptySecret(path));
        }
        // PEM keeps its lines. Other files have one secret, or several on their lines.
        let text = if text.contains("-----BEGIN") {
            text
        } else {
            let words: Vec<&str> = text.split_whitespace().collect();
            words.join(",")
        };
        self.add_text(key, &text, SettingSource::SecretFile(path))
    }

    /// Returns the keys of the secrets that are in the settings file.
    pub(super) fn secrets_in_file(&self) -> Vec<&'static str> {
        let is_in_file = |key: &&str| {
            let source = self.sources.get(*key);
            matches!(source, Some(SettingSource::File(..))) && !self.is_default(key)
        };
        SECRETS.into_iter().filter(is_in_file).collect()
    }

    /// Returns a line for each key, with its value and its source. Hides secrets.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        self.add_lines("", &self.values, &mut lines);
        lines
    }

    fn add_lines(&self, prefix: &str, value: &Value, lines: &mut Vec<String>) {
        if let Value::Table(section) = value {
            for (name, value) in section {
                let key = if prefix.is_empty() {
                    name.clone()
                } else {
                    format!("{prefix}.{name}")
                };
                self.add_lines(&key, value, lines);
            }
            return;
        }
        let is_secret = SECRETS.contains(&prefix) || prefix == DATABASE;
        let value = if is_secret && !self.is_default(prefix) {
            "[secret]".to_string()
        } else {
            value.to_string()
        };
        lines.push(format!("{prefix} = {value}  # {}", self.source(prefix)));
    }

    /// Reads all settings into a type. Notes each value that can't be used, and reads its default instead.
    ///
    /// # Errors
    /// If a section lacks a key, and has no default.
    pub(super) fn read<T: DeserializeOwned>(&mut self) -> Result<T, ConfigError> {
        loop {
            let (path, error) = match self.try_read() {
                Ok(read) => return Ok(read),
                Err(mistake) => mistake,
            };
            if !self.reset(&path) {
                return Err(error);
            }
            self.mistakes.note::<T>(Err(error));
        }
    }

    /// Returns the type, or the first value that can't be used: its path and the error.
    fn try_read<T: DeserializeOwned>(&self) -> Result<T, (String, ConfigError)> {
        // Reads the text of the merged settings with `toml_reader`, which reports the key of a mistake.
        let text = self.values.to_string();
        let value = parsed("", &text, DeValue::parse).map_err(|error| (String::new(), error))?;
        toml_reader::read(&value).map_err(|TypeMistake { text, path, .. }| {
            let error = if text.starts_with("unknown field") {
                ConfigError::Unknown(path.clone(), self.source(&path))
            } else {
                self.invalid(&path, &text.replace("missing field", "a section with"))
            };
            (path, error)
        })
    }

    /// Replaces the value at `path`, or the list around it, by its default. Returns false if it has the default.
    fn reset(&mut self, path: &str) -> bool {
        let key = path.split('[').next().unwrap_or(path);
        let mut names = key.split('.');
        let default = names.try_fold(&self.defaults, |section, name| section.get(name));
        let default = default.cloned();
        match (self.find(key), default) {
            (Some(value), Some(default)) if *value != default => {
                *value = default;
                true
            }
            _ => false,
        }
    }

    pub(super) fn invalid(&self, key: &str, rule: &str) -> ConfigError {
        ConfigError::invalid(key, rule, self.source(key))
    }

    /// Returns whether a key has its default value. For a list, returns whether any item is in the default
    /// list.
    pub(super) fn is_default(&self, key: &str) -> bool {
        let find = |values| {
            key.split('.')
                .try_fold(values, |value: &Value, name| value.get(name))
        };
        match (find(&self.values), find(&self.defaults)) {
            (Some(Value::Array(items)), Some(Value::Array(defaults))) => {
                items.iter().any(|item| defaults.contains(item))
            }
            (value, default) => value == default,
        }
    }

    /// Returns the source of a key. If the key has no source of its own, returns the source of its list
    /// section, or [`SettingSource::Default`].
    fn source(&self, key: &str) -> SettingSource {
        let section = || key.rsplit_once('.').map_or(key, |(section, _)| section);
        let source = self
            .sources
            .get(key)
            .or_else(|| self.sources.get(section()));
        source.cloned().unwrap_or(SettingSource::Default)
    }

    fn find(&mut self, key: &str) -> Option<&mut Value> {
        let mut names = key.split('.');
        names.try_fold(&mut self.values, |section, name| section.get_mut(name))
    }

    /// Adds a section of the settings file. `source` returns the source of the value at an offset.
    fn add_table(
        &mut self,
        prefix: &str,
        table: &DeTable<'_>,
        source: &dyn Fn(usize) -> SettingSource,
    ) {
        for (name, value) in table {
            let key = format!("{prefix}{}", name.get_ref());
            let is_section = self.find(&key).is_some_and(|default| default.is_table());
            match value.get_ref() {
                DeValue::Table(section) if is_section => {
                    self.add_table(&format!("{key}."), section, source);
                    continue;
                }
                DeValue::Array(items) => {
                    for (number, item) in items.iter().enumerate() {
                        let source = source(item.span().start);
                        self.sources.insert(format!("{key}[{number}]"), source);
                    }
                }
                _ => {}
            }
            let current = Value::deserialize(ValueDeserializer::from(value.clone()));
            let put = self.put(&key, current.ok(), source(name.span().start));
            self.mistakes.note(put);
        }
    }

    /// Adds the text of a variable, a flag or a secret's file. Parses the text by the type of the key.
    fn add_text(
        &mut self,
        key: &str,
        text: &str,
        source: SettingSource,
    ) -> Result<(), ConfigError> {
        let word = text.trim();
        let current = match self.find(key) {
            None | Some(Value::Table(_)) => {
                return Err(ConfigError::Unknown(key.to_owned(), source));
            }
            Some(Value::Integer(_)) => word.parse().map(Value::Integer).ok(),
            Some(Value::Boolean(_)) => word.parse().map(Value::Boolean).ok(),
            Some(Value::Array(_)) if SECTION_LISTS.contains(&key) => None,
            Some(Value::Array(_)) if word.starts_with('[') => word.parse().ok(),
            Some(Value::Array(_)) => {
                let items = word.split(',').map(str::trim);
                let items = items.filter(|item| !item.is_empty());
                Some(Value::Array(items.map(Value::from).collect()))
            }
            Some(_) => Some(Value::from(text)),
        };
        self.put(key, current, source)
    }

    /// Replaces the value of a key by a value of the same type.
    fn put(
        &mut self,
        key: &str,
        value: Option<Value>,
        source: SettingSource,
    ) -> Result<(), ConfigError> {
        let sections = SECTION_LISTS.contains(&key);
        let Some(default) = self.find(key) else {
            return Err(ConfigError::Unknown(key.to_owned(), source));
        };
        let fits = |candidate: &Value| match candidate {
            Value::Array(items) if sections => items.iter().all(Value::is_table),
            Value::Array(items) => default.is_array() && items.iter().all(Value::is_str),
            _ => default.same_type(candidate),
        };
        if let Some(candidate) = value.filter(fits) {
            *default = candidate;
            self.sources.insert(key.to_owned(), source);
            return Ok(());
        }
        let kind = match default {
            Value::Array(_) if sections => {
                "given in a settings file, as sections with two brackets"
            }
            Value::Array(_) => "a list of texts",
            Value::Table(_) => "a section",
            Value::Integer(_) => "a whole number",
            Value::Boolean(_) => "true or false",
            _ => "text",
        };
        Err(ConfigError::invalid(key, kind, source))
    }
}

/// Returns whether Docker or Kubernetes set a variable, for a service whose name begins with `layby`.
/// Examples: `LAYBY_SERVICE_HOST`, `LAYBY_DB_PORT=tcp://10.0.0.5:5432`, `LAYBY_PORT_80_TCP_ADDR`. `word` is
/// the name without our prefix. No setting has such a name.
fn is_of_container_service(word: &str, value: &str) -> bool {
    let is_address = ["tcp://", "udp://", "sctp://"]
        .iter()
        .any(|scheme| value.starts_with(scheme));
    let parts: Vec<&str> = word.split('_').collect();
    let is_part_of_port = parts.windows(3).any(|three| match three {
        ["PORT", number, "TCP" | "UDP" | "SCTP"] => number.parse::<u16>().is_ok(),
        _ => false,
    });
    if word.contains("__") {
        return false;
    }
    parts.ends_with(&["SERVICE", "HOST"])
        || parts.windows(2).any(|two| two == ["SERVICE", "PORT"])
        || is_part_of_port
        || parts.ends_with(&["PORT"]) && is_address
}

/// Parses a TOML text. The error message contains `name`.
fn parsed<'a, T>(
    name: &str,
    text: &'a str,
    parse: impl FnOnce(&'a str) -> Result<T, toml::de::Error>,
) -> Result<T, ConfigError> {
    parse(text).map_err(|error| {
        let line = line_of(text, error.span().map_or(0, |span| span.start));
        ConfigError::Syntax(name.to_owned(), line, error.message().to_owned())
    })
}

fn line_of(text: &str, offset: usize) -> usize {
    let before = text.bytes().take(offset);
    before.filter(|byte| *byte == b'\n').count() + 1
}
