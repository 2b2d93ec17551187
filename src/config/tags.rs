//! The visitor's choice about cookies, and what it lets in.

use super::address::Origin;
use super::read::{Reader, https_address};
use super::{ConfigError, TagManager};

pub(super) fn cookie_name(reader: &Reader) -> Result<String, ConfigError> {
    reader.parsed(
        "cookies.name",
        "a name of letters, digits, - and _",
        |text| {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            (!text.is_empty() && text.chars().all(plain)).then(|| text.to_owned())
        },
    )
}

pub(super) fn tag_manager(reader: &Reader) -> Result<Option<TagManager>, ConfigError> {
    let id = reader.filled("tag_manager.id")?;
    let src = reader.optional(
        "tag_manager.src",
        "empty or an https:// address",
        https_address,
    )?;
    let mut hosts: Vec<Origin> = src.as_deref().and_then(Origin::of).into_iter().collect();
    for text in reader.list("tag_manager.hosts")? {
        let host = Origin::of_site(&text).filter(Origin::is_https);
        let wanted = "a list of https:// hosts without a path";
        hosts.push(host.ok_or_else(|| reader.invalid("tag_manager.hosts", wanted))?);
    }
    match (id, src) {
        (Some(id), Some(src)) => Ok(Some(TagManager { id, src, hosts })),
        (None, None) => Ok(None),
        _ => Err(ConfigError::Conflict(
            "tag_manager.id and tag_manager.src must both be given, or neither".to_owned(),
        )),
    }
}
