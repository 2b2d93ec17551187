//! What the operator gave: a settings file, the environment, flags.

use std::path::Path;

use super::source::ConfigError;

/// Every variable of the environment that is ours begins like this.
pub(super) const PREFIX: &str = "LAYBY_";

/// What the operator gave, one layer over another: flags win over the environment, the
/// environment over the file. Plain data, so that a test needs neither files nor an environment.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    /// The settings file: the name to use in messages, and its text.
    pub file: Option<(String, String)>,
    /// Variables of the environment. Those that do not begin `LAYBY_` are ignored.
    pub env: Vec<(String, String)>,
    /// Flags of the command line, as the key each one sets and its value. In messages a flag
    /// goes by the last word of its key: `server.listen` is `--listen`.
    pub flags: Vec<(String, String)>,
}

impl Layers {
    /// Collects what this process was given: the file of `--config`, the environment and flags.
    ///
    /// # Errors
    /// When the file can't be read, or a variable of ours is not UTF-8.
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
