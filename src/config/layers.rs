//! The operator's settings: a settings file, the environment and flags.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::source::ConfigError;

/// The prefix of our environment variables.
pub(super) const PREFIX: &str = "LAYBY_";
/// The variable that names the settings file.
pub(super) const FILE_VARIABLE: &str = "LAYBY_CONFIG";
/// The variable that sets the start of the clock.
pub(super) const CLOCK: &str = "LAYBY_CLOCK";
/// The settings file of an installed shop.
pub const INSTALLED_FILE: &str = "/etc/layby/layby.toml";
/// The variable in which systemd names the folder of the secrets that it passes to a service.
const CREDENTIALS: &str = "CREDENTIALS_DIRECTORY";
/// The permission of users who are neither the file's owner nor in its group.
const READ_BY_OTHERS: u32 = 0o004;

/// The operator's settings in layers. Flags override the environment, and the environment overrides the file.
/// The layers are plain data, so that a test needs neither files nor an environment.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    /// The settings file: its name for messages, and its text.
    pub file: Option<(String, String)>,
    /// Whether every user of this machine may read the settings file.
    pub is_file_public: bool,
    /// Environment variables: names and values. A variable without the prefix `LAYBY_` has no effect.
    pub env: Vec<(String, String)>,
    /// Command-line flags: the key that each flag sets, and the value. Messages name a flag by the last
    /// word of the key: `server.listen` is `--listen`.
    pub flags: Vec<(String, String)>,
    /// Folder with a file for each secret, named by its key.
    pub credentials: Option<PathBuf>,
}

impl Layers {
    /// Collects the settings of this process: the settings file, the environment and flags. The file is the
    /// first of `config`, `LAYBY_CONFIG` and [`INSTALLED_FILE`].
    ///
    /// # Errors
    /// If the file can't be read, or if one of our variables is not UTF-8.
    pub fn from_process(
        config: Option<&Path>,
        flags: Vec<(String, String)>,
    ) -> Result<Self, ConfigError> {
        let named = || std::env::var_os(FILE_VARIABLE).filter(|name| !name.is_empty());
        let installed = || Some(PathBuf::from(INSTALLED_FILE)).filter(|path| path.exists());
        let config = config.map(Path::to_owned);
        let path = config
            .or_else(|| named().map(PathBuf::from))
            .or_else(installed);
        let read = |path: &PathBuf| {
            let name = path.display().to_string();
            match std::fs::read_to_string(path) {
                Ok(text) => Ok((name, text)),
                Err(reason) => Err(ConfigError::Unreadable(name, reason)),
            }
        };
        let mode = path.as_ref().and_then(|path| std::fs::metadata(path).ok());
        let env = std::env::vars_os().filter_map(|(name, value)| {
            let name = name.to_str().filter(|name| name.starts_with(PREFIX))?;
            let value = value.into_string();
            Some(match value {
                Ok(value) => Ok((name.to_owned(), value)),
                Err(_) => Err(ConfigError::NotText(name.to_owned())),
            })
        });
        Ok(Self {
            file: path.as_ref().map(read).transpose()?,
            is_file_public: mode.is_some_and(|file| file.mode() & READ_BY_OTHERS != 0),
            env: env.collect::<Result<_, _>>()?,
            flags,
            credentials: std::env::var_os(CREDENTIALS).map(PathBuf::from),
        })
    }

    /// Returns only the settings that locate the store: `[store]`, the data folder and the clock. A command for
    /// a running shop, or for the store alone, needs no others.
    #[must_use]
    pub fn restrict_to_store(&self) -> Self {
        let file = self.file.as_ref().map(|(name, text)| {
            let mut all: Table = toml::from_str(text).unwrap_or_default();
            all.retain(|section, _| section == "server" || section == "store");
            if let Some(Value::Table(server)) = all.get_mut("server") {
                server.retain(|key, _| key == "data");
            }
            (name.clone(), all.to_string())
        });
        let is_of_store = |name: &str| {
            name.starts_with("LAYBY_STORE__") || ["LAYBY_SERVER__DATA", CLOCK].contains(&name)
        };
        let env = self.env.iter().filter(|(name, _)| is_of_store(name));
        let flags = self.flags.iter().filter(|(key, _)| key == "server.data");
        Self {
            file,
            env: env.cloned().collect(),
            flags: flags.cloned().collect(),
            credentials: self.credentials.clone(),
            is_file_public: false,
        }
    }
}
