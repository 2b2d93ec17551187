//! The hosted page: a card number, buttons for the usual outcomes, and a challenge in a frame of a bank.

use serde_json::Value;

use super::books::{Books, Entered, Outcome};
use super::http::{Heard, Said};
use super::news::News;

const STYLE: &str = "body{font:16px/1.5 sans-serif;margin:0 auto;max-width:30rem;padding:1rem}\
    label,input,button,iframe{display:block;width:100%;box-sizing:border-box}\
    input,button{font:inherit;padding:.6rem;margin:.3rem 0 1rem}iframe{border:1px solid;height:14rem}";
const DECLINED_CARD: &str = "4000120000001154";
const CHALLENGED_CARD: &str = "4222000001227408";

/// What the browser gets.
pub enum Shown {
    Page(Said),
    /// The answer of the shop's return page to this message.
    Return(News),
}

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

/// Answers a request for a page. The bank's page is at `/bank/{guid}`. `origin` is the double's own, with
/// the host `127.0.0.1`. The bank has the host `localhost`, so a browser treats it as another site.
pub fn answer(books: &mut Books, heard: &Heard, origin: &str, now: i64) -> Shown {
    if let Some(guid) = heard.path.strip_prefix("/bank/") {
        return Shown::Page(bank(guid, origin));
    }
    let Some(guid) = heard.path.strip_prefix("/hosted-payments/") else {
        return Shown::Page(not_found());
    };
    books.end_links(now);
    let Some(link) = books.link_of_page(guid).cloned() else {
        return Shown::Page(not_found());
    };
    if heard.method != "POST" {
        return Shown::Page(form(&link));
    }
    let given: Vec<(String, String)> =
        serde_urlencoded::from_bytes(&heard.body).unwrap_or_default();
    let value = |name: &str| {
        given
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value)
    };
    let card: String = value("card")
        .into_iter()
        .flat_map(|text| text.chars())
        .collect();
    let card: String = card.chars().filter(char::is_ascii_digit).collect();
    let is_declined = value("decline").is_some() || card == DECLINED_CARD;
    let has_failed = value("challenge").is_some_and(|answer| answer == "fail");
    if card == CHALLENGED_CARD && !is_declined {
        return Shown::Page(challenge(guid, origin));
    }
    let entered = match is_declined || has_failed {
        true => Entered::Declined,
        false => Entered::Good,
    };
    let id = link["id"].as_str().unwrap_or_default();
    match books.pay(id, entered, now) {
        Outcome::TooLate => Shown::Page(form(books.link_of_page(guid).unwrap())),
        outcome => match books.return_news(id).filter(|_| books.comes_back) {
            Some(news) => Shown::Return(news),
            None => Shown::Page(result(outcome)),
        },
    }
}

fn not_found() -> Said {
    let text = "<p>There is no such page.</p>";
    Said::html(404, &document("Something went wrong", text))
}

fn form(link: &Value) -> Said {
    if link["status"] != "ACTIVE" {
        let text = "<p>This payment link has ended.</p>";
        return Said::html(200, &document("Nothing to pay here", text));
    }
    let pence: i64 = link["order"]["amount"]
        .as_str()
        .unwrap_or("0")
        .parse()
        .unwrap_or(0);
    let amount = format!("\u{a3}{}.{:02}", pence / 100, pence % 100);
    let name = escaped(link["name"].as_str().unwrap_or_default());
    let cancel = escaped(
        link["notifications"]["cancel_url"]
            .as_str()
            .unwrap_or_default(),
    );
    let body = format!(
        "<p>{name}: <strong>{amount}</strong></p>\
         <form method=post><label for=card>Card number</label>\
         <input id=card name=card inputmode=numeric autocomplete=off value='4263 9700 0000 5262'>\
         <button>Pay {amount}</button>\
         <button name=decline value=1>Decline</button></form><p><a href=\"{cancel}\">Cancel</a></p>"
    );
    let title = "A stand-in for the page of Global Payments";
    Said::html(200, &document(title, &body))
}

/// Shows the challenge: a frame of the bank, which is a third site.
fn challenge(guid: &str, origin: &str) -> Said {
    let bank = origin.replace("127.0.0.1", "localhost");
    let body = format!("<iframe title='Your bank' src='{bank}/bank/{guid}'></iframe>");
    Said::html(200, &document("Your bank asks", &body))
}

/// Shows the bank's page. Its buttons lead to the provider's result, in the bank's frame.
fn bank(guid: &str, origin: &str) -> Said {
    let body = format!(
        "<form method=post action='{origin}/hosted-payments/{}'>\
         <button name=challenge value=complete>Complete</button>\
         <button name=challenge value=fail>Fail</button></form>",
        escaped(guid)
    );
    Said::html(200, &document("Is it you?", &body))
}

/// Shows the result. The page stays there, as on the shared sandbox.
fn result(outcome: Outcome) -> Said {
    let text = match outcome {
        Outcome::Paid => "<p>Your payment was accepted.</p>",
        Outcome::Pending => "<p>Your bank is processing your payment.</p>",
        Outcome::Declined | Outcome::TooLate => "<p>Your payment was declined.</p>",
    };
    Said::html(200, &document("Result", text))
}
