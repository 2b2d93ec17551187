//! The payment page: it takes the signed form, and posts the answer to the shop by browser and by server.

use super::answers::{self, Pairs, Verdict, signature, value};
use super::{Heard, PROFILE, Said, State};

/// Seconds for which a form may be posted, and in which its second use is refused.
const FORM_TIME: i64 = 15 * 60;
/// The characters of a text beside letters and digits.
const TEXT: &str = " !\"#$%&'()*+,-./:;=?@^_~`";
/// The code of data that the page refuses.
const INVALID_DATA: u16 = 102;

/// A form that opened a page.
pub struct Form {
    fields: Pairs,
    opened: i64,
    /// Whether it was used before, in the last 15 minutes.
    is_second: bool,
}

/// Why the page is a 403.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub &'static str);

/// Opens a page.
pub(super) fn open(state: &mut State, path: &str, fields: &Pairs) -> Result<usize, Refused> {
    let now = (state.now)();
    let get = |name: &str| value(fields, name);
    if !matches!(path, "/embedded/pay" | "/pay") {
        return Err(Refused("path"));
    }
    let secret = secret_of(state, get("access_key")).ok_or(Refused("access_key"))?;
    if get("profile_id") != PROFILE {
        return Err(Refused("profile_id"));
    }
    if signature(fields, &secret) != get("signature") {
        return Err(Refused("signature"));
    }
    let listed: Vec<&str> = get("signed_field_names").split(',').collect();
    let is_signed =
        |(name, _): &(String, String)| name == "signature" || listed.contains(&name.as_str());
    if !fields.iter().all(is_signed) || !listed.contains(&"unsigned_field_names") {
        return Err(Refused("signed_field_names"));
    }
    let signed = chrono::DateTime::parse_from_rfc3339(get("signed_date_time"));
    let signed = signed.map_err(|_| Refused("signed_date_time"))?.timestamp();
    if get("signed_date_time").len() != 20 || (now - signed).abs() > FORM_TIME {
        return Err(Refused("signed_date_time"));
    }
    let is_amount = |text: &str| {
        let (pounds, pence) = text.split_once('.').unwrap_or_default();
        pounds.parse::<u32>().is_ok() && pence.len() == 2 && pence.parse::<u8>().is_ok()
    };
    let limits = [
        ("transaction_uuid", 40),
        ("reference_number", 50),
        ("amount", 15),
        ("bill_to_forename", 60),
        ("bill_to_surname", 60),
        ("bill_to_email", 255),
        ("bill_to_phone", 15),
        ("bill_to_address_line1", 60),
        ("bill_to_address_city", 50),
        ("bill_to_address_postal_code", 10),
        ("bill_to_address_country", 2),
        ("override_custom_receipt_page", 255),
        ("override_backoffice_post_url", 255),
    ];
    // A payment that keeps its card demands a challenge.
    let challenge = get("payer_authentication_challenge_code");
    let is_known = matches!(
        (get("transaction_type"), challenge),
        ("sale", "") | ("sale,create_payment_token", "04")
    );
    if !is_known || get("currency").len() != 3 || !is_amount(get("amount")) {
        return Err(Refused("transaction"));
    }
    if let Some((name, _)) = limits.iter().find(|(name, most)| get(name).len() > *most) {
        return Err(Refused(name));
    }
    let is_text = |value: &str| {
        value
            .chars()
            .all(|c| c.is_alphanumeric() || TEXT.contains(c))
    };
    let mut details = fields
        .iter()
        .filter(|(name, _)| name.starts_with("bill_to"));
    if !details.all(|(_, value)| is_text(value)) {
        return Err(Refused("bill_to"));
    }
    let is_second = state.forms.iter().any(|form| {
        let same = |name: &str| value(&form.fields, name) == get(name);
        same("access_key") && same("transaction_uuid") && now - form.opened < FORM_TIME
    });
    state.forms.push(Form {
        fields: fields.clone(),
        opened: now,
        is_second,
    });
    Ok(state.forms.len() - 1)
}

fn secret_of(state: &State, access_key: &str) -> Option<String> {
    let key = state.keys.iter().find(|(key, _)| key == access_key);
    key.map(|(_, secret)| secret.clone())
}

/// Ends a page. Returns the answer, which also waits as a server post.
pub(super) fn end(state: &mut State, page: usize, verdict: Verdict) -> Pairs {
    let now = (state.now)();
    let form = &state.forms[page];
    let fields = form.fields.clone();
    let is_refused = |(_, value): &(String, String)| state.refused.contains(value);
    let verdict = match verdict {
        _ if form.is_second => Verdict::Error(104),
        Verdict::Accept if fields.iter().any(is_refused) => Verdict::Decline(INVALID_DATA),
        verdict => verdict,
    };
    let id = state.books.record(&fields, verdict, now);
    let secret = secret_of(state, value(&fields, "access_key")).unwrap();
    let row = state.books.row(&id);
    let token = row.and_then(|row| row.customer.clone());
    let payment = (id.as_str(), token.as_deref());
    let answer = answers::answer(&fields, verdict, payment, &secret, now);
    let address = value(&fields, "override_backoffice_post_url").to_owned();
    let body = serde_urlencoded::to_string(&answer).unwrap();
    state.posts.push((address, body));
    answer
}

// --- Its HTML ----------------------------------------------------------------------------

const STYLE: &str = "body{font:16px/1.5 sans-serif;margin:0 auto;max-width:30rem;padding:1rem}\
    label,input,button{display:block;width:100%;box-sizing:border-box}\
    input,button{font:inherit;padding:.6rem;margin:.3rem 0 1rem}iframe{border:0;width:100%;height:20rem}";

fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=en-GB><meta charset=utf-8><title>{title}</title>\
         <meta name=viewport content='width=device-width,initial-scale=1'>\
         <style>{STYLE}</style><main><h1>{title}</h1>{body}</main></html>"
    )
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// Answers a request for a page, or `None` for another request.
pub(super) fn answer(state: &mut State, heard: &Heard) -> Option<Said> {
    let form: Pairs = serde_urlencoded::from_bytes(&heard.body).unwrap_or_default();
    let path = heard.path.as_str();
    if heard.method == "POST" && matches!(path, "/embedded/pay" | "/pay") {
        let mut said = match open(state, path, &form) {
            Ok(page) => card_page(state, page),
            Err(Refused(what)) => {
                let text = format!("<p>You are not authorized to view this page ({what}).</p>");
                Said::html(403, &document("Access denied", &text))
            }
        };
        if path == "/pay" {
            said.headers.push(("X-Frame-Options", "DENY".to_owned()));
        }
        return Some(said);
    }
    let (what, page) = path.strip_prefix('/')?.split_once('/')?;
    let page: usize = page.parse().ok()?;
    state.forms.get(page)?;
    Some(match what {
        "card" => chosen(state, page, &form),
        // The bank's frame comes back to this host, which leads the frame around it on.
        "authenticated" => {
            let choice = escaped(value(&form, "choice"));
            let body = format!(
                "<form method=post action=/card/{page} target=_parent>\
                 <input type=hidden name=choice value={choice}></form>\
                 <script>document.forms[0].submit()</script>"
            );
            Said::html(200, &document("Authenticated", &body))
        }
        _ => return None,
    })
}

fn card_page(state: &State, page: usize) -> Said {
    let form = &state.forms[page].fields;
    let amount = escaped(value(form, "amount"));
    let body = format!(
        "<p>Total amount: <strong>£{amount}</strong></p><form method=post action=/card/{page}>\
         <label for=card>Card number</label>\
         <input id=card name=card inputmode=numeric autocomplete=off value='4111 1111 1111 1111'>\
         <button name=choice value=pay>Pay</button><button name=choice value=decline>Decline</button>\
         <button name=choice value=challenge>Pay with a challenge</button>\
         <button name=choice value=cancel>Cancel</button></form>"
    );
    Said::html(200, &document("A stand-in for Smartpay Fuse", &body))
}

/// Handles a button of the page. The card 4000000000001091 is challenged.
fn chosen(state: &mut State, page: usize, form: &Pairs) -> Said {
    let card: String = value(form, "card")
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    let verdict = match value(form, "choice") {
        "cancel" => Verdict::Cancel,
        "decline" => Verdict::Decline(203),
        "fail" => Verdict::Decline(476),
        "review" => Verdict::Review,
        "pay" if card != "4000000000001091" => Verdict::Accept,
        "complete" => Verdict::Accept,
        _ => {
            let body = format!(
                "<iframe title=Bank src='{}/challenge/{page}'></iframe>",
                state.bank
            );
            return Said::html(200, &document("Your bank asks", &body));
        }
    };
    let answer = end(state, page, verdict);
    let name = match verdict {
        Verdict::Cancel => "override_custom_cancel_page",
        _ => "override_custom_receipt_page",
    };
    let address = escaped(value(&state.forms[page].fields, name));
    let inputs: String = answer
        .iter()
        .map(|(name, value)| {
            format!(
                "<input type=hidden name=\"{}\" value=\"{}\">",
                escaped(name),
                escaped(value)
            )
        })
        .collect();
    let body = format!(
        "<form method=post action=\"{address}\">{inputs}</form>\
         <script>document.forms[0].submit()</script>"
    );
    Said::html(200, &document("One moment", &body))
}

/// Shows the bank's page. It posts its result to the page's host, inside its own frame.
pub(super) fn challenge(page_host: &str, heard: &Heard) -> Said {
    let page = heard.path.trim_start_matches("/challenge/");
    let page: usize = page.parse().unwrap_or(0);
    let body = format!(
        "<form method=post action='{page_host}/authenticated/{page}'>\
         <button name=choice value=complete>Complete</button>\
         <button name=choice value=fail>Fail</button></form>"
    );
    Said::html(200, &document("Is it you?", &body))
}
