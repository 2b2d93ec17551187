//! The operator's settings: a settings file, the environment and flags.

use std::path::Path;

use super::source::ConfigError;

/// The prefix of our environment variables.
pub(super) const PREFIX: &str = "LAYBY_";

/// The operator's settings in layers. Flags override the environment, and the environment overrides the file.
/// The layers are plain data, so that a test needs neither files nor an environment.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    /// The settings file: its name for messages, and its text.
    pub file: Option<(String, String)>,
    /// Environment variables: names and values. A variable without the prefix `LAYBY_` has no effect.
    pub env: Vec<(String, String)>,
    /// Command-line flags: the key that each flag sets, and the value. Messages name a flag by the last
    /// word of the key: `server.listen` is `--listen`.
    pub flags: Vec<(String, String)>,
}

impl Layers {
    /// Collects the settings of this process: the file of `--config`, the environment and flags.
    ///
    /// # Errors
    /// If the file can't be read, or if one of our variables is not UTF-8.
    pub fn from_process(
        config: Option<&Path>,
        flags: Vec<(String, String)>,
    ) -> Result<Self, ConfigError> {
        let read = |path: &Path| {
            let name = path.display().to_string();
            match std::fs::read_to_string(path) {
                Ok(text) => Ok((name, text)),
                Err(reason) => Err(ConfigError::Unreadable(name, reason)),
            }
        };
        let env = std::env::vars_os().filter_map(|(name, value)| {
            let name = name.to_str().filter(|name| name.starts_with(PREFIX))?;
            let value = value.into_string();
            Some(match value {
                Ok(value) => Ok((name.to_owned(), value)),
                Err(_) => Err(ConfigError::NotText(name.to_owned())),
            })
        });
        Ok(Self {
            file: config.map(read).transpose()?,
            env: env.collect::<Result<_, _>>()?,
            flags,
        })
    }
}
