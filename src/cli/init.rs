//! `layby init`: writes the settings file of a new shop.

use std::fs::{self, Permissions};
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use toml::Value;

use super::print::print_line;
use super::setup::CommandError;
use crate::config::{Config, INSTALLED_FILE, Layers};

/// Writes a settings file for a real shop, and empty files for its secrets. Asks on the terminal for what no
/// flag gives. Overwrites nothing. Then checks the settings and names what is left to do.
#[derive(Args)]
pub(super) struct Init {
    /// The settings file to write.
    #[arg(long, value_name = "FILE", default_value = INSTALLED_FILE)]
    output: PathBuf,
    /// The shop's name.
    #[arg(long)]
    name: Option<String>,
    /// The address of the website, such as https://cover.example.org.
    #[arg(long)]
    url: Option<String>,
    /// The mail address that customers write to.
    #[arg(long)]
    email: Option<String>,
    /// The telephone number that customers call.
    #[arg(long)]
    phone: Option<String>,
    /// The mail server.
    #[arg(long)]
    mail_server: Option<String>,
    /// The gateway that takes the money.
    #[arg(long, value_enum)]
    gateway: Option<GatewayArg>,
}

#[derive(Clone, Copy, ValueEnum)]
enum GatewayArg {
    Stripe,
    Globalpayments,
    Smartpayfuse,
}

impl GatewayArg {
    /// Returns the gateway's name in the settings, and the keys of its secrets.
    const fn settings(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Stripe => ("stripe", &["secret_key", "webhook_secrets"]),
            Self::Globalpayments => ("globalpayments", &["app_key"]),
            Self::Smartpayfuse => ("smartpayfuse", &["secret_key", "rest_secret"]),
        }
    }
}

impl Init {
    pub(super) fn run(self, data: Option<&Path>) -> Result<(), CommandError> {
        let output = &self.output;
        if output.exists() {
            return Err(format!("{} exists, and is not overwritten", output.display()).into());
        }
        let data = data.unwrap_or(Path::new("/var/lib/layby"));
        let name = answer("name", "The shop's name", self.name)?;
        let url = answer("url", "The website's address (https://...)", self.url)?;
        let email = answer("email", "The mail address for customers", self.email)?;
        let phone = answer("phone", "The telephone number for customers", self.phone)?;
        let mail_server = answer("mail-server", "The mail server", self.mail_server)?;
        let gateway = match self.gateway {
            Some(gateway) => gateway,
            None => {
                let named = answer(
                    "gateway",
                    "The gateway (stripe, globalpayments, smartpayfuse)",
                    None,
                )?;
                GatewayArg::from_str(&named, true)?
            }
        };
        let (gateway, keys) = gateway.settings();
        let folder = output.parent().filter(|folder| folder.as_os_str() != "");
        let folder = folder.unwrap_or(Path::new("."));
        let secrets = folder.join("secrets");
        let secret = |key: &str| secrets.join(key);
        let mail_secret = "mail.smtp.password";
        let section = format!("payments.{gateway}");
        let keys: Vec<(&str, PathBuf)> = keys
            .iter()
            .map(|key| (*key, secret(&format!("{section}.{key}"))))
            .collect();
        let mut text = format!(
            "# Settings of this shop. `layby config` shows every setting, and where it comes from.\n\
             mode = \"production\"\n\n\
             [server]\npublic_url = {}\ndata = {}\n\
             # The proxy on this machine that ends https.\n\
             trusted_proxies = [\"127.0.0.1\", \"::1\"]\n\n\
             # The other texts are still samples: `layby serve --check` names them.\n\
             [site]\nbrand = {}\nemail = {}\nphone = {}\n\n\
             [mail.smtp]\nhost = {}\n# The log-in, if the server wants one:\n# username = \"layby\"\n\
             # password_file = {}\n\n\
             [payments]\ngateways = [{}]\n\n[{section}]\n",
            quote(&url),
            quote_path(data),
            quote(&name),
            quote(&email),
            quote(&phone),
            quote(&mail_server),
            quote_path(&secret(mail_secret)),
            quote(gateway),
        );
        for (key, path) in &keys {
            text += &format!("{key}_file = {}\n", quote_path(path));
        }
        fs::create_dir_all(&secrets)?;
        let group = fs::metadata(folder)?.gid();
        share(&secrets, group, 0o750)?;
        for (_, path) in &keys {
            if !path.exists() {
                fs::write(path, "")?;
                share(path, group, 0o640)?;
            }
        }
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        let file = file.persist_noclobber(output)?;
        drop(file);
        share(output, group, 0o640)?;
        print_line(format!("{} is written", output.display()));
        for (_, path) in &keys {
            print_line(format!("put the secret into {}", path.display()));
        }
        let checked = Config::load(&Layers::from_process(Some(output), Vec::new())?);
        print_line(match checked {
            Ok(_) => "the settings are in order: try `layby serve --check`".to_string(),
            Err(error) => format!("left to do: {error}"),
        });
        Ok(())
    }
}

/// Returns the value of a flag. Without the flag, asks on the terminal.
fn answer(flag: &str, question: &str, value: Option<String>) -> Result<String, CommandError> {
    let mut line = value.unwrap_or_default();
    if line.is_empty() && io::stdin().is_terminal() {
        print_line(format!("{question}:"));
        io::stdin().read_line(&mut line)?;
    }
    match line.trim() {
        "" => Err(format!("--{flag} is missing: {question}").into()),
        line => Ok(line.to_string()),
    }
}

/// Lets the group of the settings folder read a file, because the shop's user is in it.
fn share(path: &Path, group: u32, mode: u32) -> io::Result<()> {
    chown(path, None, Some(group))?;
    fs::set_permissions(path, Permissions::from_mode(mode))
}

fn quote(text: &str) -> String {
    Value::from(text).to_string()
}

fn quote_path(path: &Path) -> String {
    quote(&path.display().to_string())
}
