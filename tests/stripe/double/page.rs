//! Stripe's payment page: a card number, and buttons for the usual cards.

use serde_json::Value;

use super::books::{Books, Outcome};
use super::cards::Card;
use super::http::Said;
use super::params::{parsed, text};

const STYLE: &str = "body{font:16px/1.5 sans-serif;margin:0 auto;max-width:30rem;padding:1rem}\
    label,input,button{display:block;width:100%;box-sizing:border-box}\
    input,button{font:inherit;padding:.6rem;margin:.3rem 0 1rem}\
    [role=alert]{border:1px solid;padding:.6rem}";

fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=en-GB><meta charset=utf-8><title>{title}</title>\
         <meta name=viewport content='width=device-width,initial-scale=1'>\
         <style>{STYLE}</style><main><h1>{title}</h1>{body}</main></html>"
    )
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// Shows the page of a session.
pub fn show(books: &Books, id: &str, status: u16, alert: &str) -> Said {
    let Ok(session) = books.sessions.get("checkout.session", id) else {
        return Said::html(
            404,
            &document("Something went wrong", "<p>There is no such page.</p>"),
        );
    };
    if session["status"] != "open" {
        let text =
            "<p>You can close this page. This checkout session has timed out or was completed.</p>";
        return Said::html(200, &document("You're all done here", text));
    }
    let pence = session["amount_total"].as_i64().unwrap_or(0);
    let amount = format!("£{}.{:02}", pence / 100, pence % 100);
    let name = escaped(session["_name"].as_str().unwrap_or_default());
    let email = escaped(session["customer_email"].as_str().unwrap_or_default());
    let cancel = escaped(session["cancel_url"].as_str().unwrap_or_default());
    let alert = match alert {
        "" => String::new(),
        text => format!("<p role=alert>{text}</p>"),
    };
    let body = format!(
        "<p>{name}: <strong>{amount}</strong></p><p>{email}</p>{alert}\
         <form method=post><label for=card>Card number</label>\
         <input id=card name=card inputmode=numeric autocomplete=off value='4242 4242 4242 4242'>\
         <button>Pay {amount}</button>\
         <button name=decline value=1>Decline</button></form><p><a href=\"{cancel}\">Cancel</a></p>"
    );
    Said::html(status, &document("A stand-in for Stripe's page", &body))
}

/// Handles a form that the page posts.
pub fn answer(books: &mut Books, id: &str, form: &[u8], now: i64) -> Said {
    let form = parsed(form);
    let card = match text(&form, "/decline") {
        Some(_) => Card::DECLINED,
        None => Card::ending(text(&form, "/card")),
    };
    match text(&form, "/challenge") {
        None if card.is_challenged() && text(&form, "/decline").is_none() => {
            return challenge(card);
        }
        Some("fail") => return show(books, id, 402, "We are unable to authenticate your card."),
        _ => {}
    }
    match books.pay(id, card, now) {
        Ok(Outcome::Paid) => Said::to(&back(books, id)),
        Ok(Outcome::Declined) => show(books, id, 402, "Your card was declined. Try another card."),
        Ok(Outcome::TooLate) | Err(_) => show(books, id, 200, ""),
    }
}

/// Shows the bank's page.
fn challenge(card: Card) -> Said {
    let body = format!(
        "<form method=post><input type=hidden name=card value={}>\
         <button name=challenge value=complete>Complete</button>\
         <button name=challenge value=fail>Fail</button></form>",
        card.last_four()
    );
    Said::html(200, &document("Is it you?", &body))
}

fn back(books: &Books, id: &str) -> String {
    let session = books
        .sessions
        .get("checkout.session", id)
        .cloned()
        .unwrap_or(Value::Null);
    let address = session["success_url"].as_str().unwrap_or_default();
    address.replace("{CHECKOUT_SESSION_ID}", id)
}
