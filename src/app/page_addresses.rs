//! Addresses of the website's pages, for letters, payment pages and partners. Each address begins with the
//! shop's public address, which has no slash at its end.

use uuid::Uuid;

/// Returns the address of the page that requests a new password.
pub(in crate::app) fn retrieve_password(public_url: &str) -> String {
    format!("{public_url}/retrieve-password")
}

/// Returns the address of the page that sets a password with a mailed link's secret.
pub(in crate::app) fn reset_password(public_url: &str, secret: &str) -> String {
    format!("{public_url}/reset-password?aid={secret}")
}

/// Returns the address of the page that confirms a new mail address. Browsers don't send a fragment, so
/// opening the link confirms nothing. Only the page's button confirms the address.
pub(in crate::app) fn confirm_email(public_url: &str, secret: &str) -> String {
    format!("{public_url}/confirm-email#{secret}")
}

/// Returns the address of the page where a quote for a product begins.
pub(in crate::app) fn new_quote(public_url: &str, product: &str) -> String {
    format!("{public_url}/cover/{product}")
}

/// Returns the address of the page of a quote.
pub(in crate::app) fn quote(public_url: &str, quote: Uuid) -> String {
    format!("{public_url}/quote/edit/{quote}")
}

/// Returns the address of the page of a quote, with the secret that resumes the quote in any browser.
pub(in crate::app) fn resume_quote(public_url: &str, quote: Uuid, secret: &str) -> String {
    format!("{public_url}/quote/edit/{quote}#resume={secret}")
}

/// Returns the address of the page of a policy.
pub(in crate::app) fn policy(public_url: &str, policy: Uuid) -> String {
    format!("{public_url}/policy/view/{policy}")
}

/// Returns the address of the page of a policy, with a token that reads the policy's documents.
pub(in crate::app) fn policy_documents(public_url: &str, policy: Uuid, token: &str) -> String {
    format!("{public_url}/policy/view/{policy}#documents={token}")
}

/// Returns the address of the monthly payments on the page of a policy.
pub(in crate::app) fn policy_payments(public_url: &str, policy: Uuid) -> String {
    format!("{public_url}/policy/view/{policy}#payments")
}

/// Returns the address of the page that pays what is due of a policy's plan.
pub(in crate::app) fn pay_due(public_url: &str, policy: Uuid) -> String {
    format!("{public_url}/payment/{policy}?plan=due")
}

/// Returns the address of the page with all payments of the user.
pub(in crate::app) fn payments(public_url: &str) -> String {
    format!("{public_url}/dashboard?tab=payments")
}

/// Returns the address to which a gateway sends the browser after the gateway's page. A small page at this
/// address leads to the page that waits for the outcome. The small page also leaves a frame, and ignores the
/// gateway's parameters.
pub(in crate::app) fn gateway_return(public_url: &str, gateway: &str, paid_for: Uuid) -> String {
    format!("{public_url}/gateway/{gateway}/return/{paid_for}")
}

/// Returns the address to which a gateway sends the browser after a cancelled payment. A small page at this
/// address leads to the payment page.
pub(in crate::app) fn gateway_cancelled(public_url: &str, gateway: &str, paid_for: Uuid) -> String {
    format!("{public_url}/gateway/{gateway}/cancelled/{paid_for}")
}

/// Returns the address of the page where a partner's customer continues with a quote.
pub(in crate::app) fn click_through(public_url: &str, click: Uuid) -> String {
    format!("{public_url}/aggregator/{click}")
}
