//! The files that a shop in production mode needs: its own texts, a gateway with keys, and products.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use layby::products::{builtin, builtin_documents};

/// The shop's own texts. A test may append more keys of `[site]`.
pub const OWN_SITE: &str = r#"
[site]
brand = "Northern Rescue"
phone = "0113 496 0123"
assistance_phone = "0113 496 0999"
email = "help@northern.example"
complaints = "Call {phone} or write to {email}. Not satisfied? Ask the Financial Ombudsman Service: 0800 023 4567."
footer = ["Northern Rescue is a trading name of Northern Cover Limited."]
postal_address = ["Northern Cover Limited", "2 Mill Lane", "Leeds", "LS1 1AA"]
links = { about_us = "/about", motor = "/motor", contact = "/contact", terms = "/terms", privacy = "/privacy", cookies = "/cookies" }
rating_badge = { image = "" }
"#;

/// Settings of a shop in production mode. A test may append more sections.
pub const PRODUCTION: &str = r#"
mode = "production"
[server]
public_url = "https://cover.example.org"
trusted_proxies = ["127.0.0.1"]
[mail]
none = true
[payments]
gateways = ["stripe"]
[payments.stripe]
secret_key = "sk_live_0000"
webhook_secrets = ["whsec_0000"]
"#;

/// Writes production settings and products without sample texts into a folder. Returns the path of the
/// settings file.
pub fn write_production(folder: &Path) -> PathBuf {
    let products = folder.join("products");
    std::fs::create_dir(&products).unwrap();
    for (name, text) in builtin().iter().chain(builtin_documents()) {
        let own = text
            .replace("\nsample = true\n", "\n")
            .replace("version = \"2026.8\"", "version = \"2026.8-own\"");
        std::fs::write(products.join(name), own).unwrap();
    }
    let folder_of_products = format!(
        "[products]\nfolder = {:?}\n",
        products.display().to_string()
    );
    let settings = folder.join("shop.toml");
    let monthly = "[monthly]\ngranted_by = \"insurer\"\n";
    let text = format!("{PRODUCTION}{OWN_SITE}{folder_of_products}{monthly}");
    std::fs::write(&settings, text).unwrap();
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(&settings, private).unwrap();
    settings
}
