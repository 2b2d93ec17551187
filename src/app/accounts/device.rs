//! The device cookie that a browser gets when its user logs in or sets a password with a mailed
//! link. The cookie exempts the user's next log-ins from the limits that strangers share. It gives
//! no access: the password is still needed.

use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::app::AppError;
use crate::app::limits::ClientAddress;
use crate::domain::account::User;
use crate::secret::{Token, same_bytes};

/// Returns a new device cookie of `user`: `<random id>.<signature>`.
pub(in crate::app) fn new_device(device_secret: &str, user: &User) -> Result<String, AppError> {
    let device_id = Token::random()?;
    let signature = device_signature(device_secret, user, device_id.expose());
    Ok(format!("{}.{signature}", device_id.expose()))
}

/// Returns the device's id, if the browser has a valid device cookie of `user`.
pub(in crate::app) fn known_device(
    device_secret: &str,
    client: &ClientAddress,
    user: &User,
) -> Option<String> {
    let (device_id, signature) = client.device.as_deref()?.split_once('.')?;
    let right = device_signature(device_secret, user, device_id);
    same_bytes(right.as_bytes(), signature.as_bytes()).then(|| device_id.to_string())
}

fn device_signature(device_secret: &str, user: &User, device_id: &str) -> String {
    // HMAC accepts keys of any length, so `new_from_slice` never fails.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(device_secret.as_bytes()) else {
        return String::new();
    };
    mac.update(user.uuid.as_bytes());
    mac.update(device_id.as_bytes());
    BASE64URL_NOPAD.encode(&mac.finalize().into_bytes())
}
