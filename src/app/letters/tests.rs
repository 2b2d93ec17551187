use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::app::letters::samples::{self, LETTERS};
use crate::app::letters::template::{BuiltIn, RenderedLetter};
use crate::app::letters::{Letter, Letters};
use crate::config::{Config, Layers, SiteSettings};

const URL: &str = "https://cover.example.org";
/// Template files that letters share. They are not letters themselves.
const SHARED: [&str; 7] = [
    "account.txt",
    "layout.html",
    "layout.txt",
    "payment.txt",
    "plan.txt",
    "policy.txt",
    "refunds.txt",
];

fn site() -> SiteSettings {
    Config::load(&Layers::default()).unwrap().site
}

fn letters() -> Letters {
    Letters::new(&site(), URL, None).unwrap()
}

fn render(letters: &Letters, sample: &Map<String, Value>) -> RenderedLetter {
    let context = minijinja::Value::from(minijinja::value::Serde(sample));
    let rendered = letters.render_context(context);
    rendered.unwrap_or_else(|error| panic!("{error} with {sample:?}"))
}

/// Returns the links among a letter's fields.
fn links(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) if text.starts_with("https://") => vec![text],
        Value::Array(items) => items.iter().flat_map(links).collect(),
        Value::Object(fields) => fields.values().flat_map(links).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn mail_says_the_same_in_both_versions_and_its_links_are_whole() {
    let letters = letters();
    letters.check().unwrap();
    for sample in samples::sample_letters() {
        let RenderedLetter {
            subject,
            html,
            text,
        } = render(&letters, &sample);
        assert!(!subject.is_empty() && !subject.contains('\n'), "{subject}");
        // Some links are shown only if other fields have certain values.
        for link in links(&json!(sample)) {
            let has_link = text.contains(link);
            assert_eq!(text.lines().any(|line| line == link), has_link, "{text}");
            let href = format!("href=\"{}\"", link.replace('&', "&amp;"));
            assert_eq!(html.contains(&href), has_link, "{link}: {html}");
        }
        for fact in [
            "01632 960 123",
            "help@layby.example",
            "9am to 5pm",
            "You get this email",
        ] {
            assert!(html.contains(fact), "{fact} in {html}");
            assert!(text.replace('\n', " ").contains(fact), "{fact} in {text}");
        }
    }
}

#[test]
fn mail_loads_nothing_follows_nobody_and_travels_unquoted() {
    let letters = letters();
    for sample in samples::sample_letters() {
        let RenderedLetter { html, text, .. } = render(&letters, &sample);
        for tag in [
            "<img", "<script", "<link", "<iframe", "url(", "@import", "src=",
        ] {
            assert!(!html.contains(tag), "{tag} in {html}");
        }
        assert!(html.is_ascii() && text.is_ascii());
        assert!(html.lines().all(|line| line.len() < 900), "{html}");
        let words = text.lines().filter(|line| !line.starts_with("https://"));
        assert!(words.into_iter().all(|line| line.len() <= 72), "{text}");
    }
}

#[test]
fn every_letter_has_a_template_and_samples_that_are_as_the_shop_makes_it() {
    let files: BTreeSet<String> = BuiltIn::iter().map(|name| name.to_string()).collect();
    let named = LETTERS.map(|(letter, ..)| format!("{letter}.txt"));
    let named = named.into_iter().chain(SHARED.map(str::to_owned));
    assert_eq!(files, named.collect());
    let samples = samples::sample_letters();
    for (letter, ..) in LETTERS {
        assert!(samples.iter().any(|sample| sample["letter"] == letter));
    }
    for sample in samples {
        let sample = Value::Object(sample);
        let letter: Letter = serde_json::from_value(sample.clone()).unwrap();
        assert_eq!(serde_json::to_value(&letter).unwrap(), sample);
    }
}

#[test]
fn mail_about_an_account_says_what_to_do_when_it_was_somebody_else() {
    let letters = letters();
    for (letter, shared, _) in LETTERS {
        let mut samples = samples::sample_letters().into_iter();
        let sample = samples.find(|sample| sample["letter"] == letter).unwrap();
        let text = render(&letters, &sample).text;
        let helped = ["Not your quote?", "Not expecting this?", "Not you?"];
        let helps = helped.iter().any(|words| text.contains(words));
        assert_eq!(
            helps,
            !shared.contains("payment_date") && !shared.contains("policy_page"),
            "{text}"
        );
    }
}

/// Returns the text without the spaces that align its columns.
fn single_spaced(text: &str) -> String {
    let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n";
    text.lines().map(line).collect()
}

#[test]
fn mail_about_a_quote_says_how_long_the_price_holds_only_when_it_has_one() {
    let letters = letters();
    let samples = samples::sample_letters();
    let quote = |has_price: bool, has_link: bool| {
        let mut samples = samples
            .iter()
            .filter(|sample| sample["letter"] == "quote-saved");
        let sample = samples.find(|sample| {
            sample["held_price"].is_null() != has_price
                && sample["password_link"].is_null() != has_link
                && sample["refusal"].is_null()
                && !sample["choices"].is_null()
        });
        (sample.unwrap(), render(&letters, sample.unwrap()))
    };
    let (quote_with_name, priced) = quote(true, false);
    assert_eq!(priced.subject, "Your layby quote BRK0000000017");
    for fact in [
        "Price: GBP 96.32 a year\n",
        "Price held until: end of 5 December 2026\n",
        "Quote and link live until: end of 21 December 2026\n",
    ] {
        assert!(
            single_spaced(&priced.text).contains(fact),
            "{}",
            priced.text
        );
    }
    let offer_text = priced.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        offer_text.contains(quote_with_name["choices"].as_str().unwrap()),
        "{offer_text}"
    );
    assert!(!priced.text.contains("Set a password"));
    let (_, unpriced) = quote(false, true);
    assert!(
        !unpriced.text.to_lowercase().contains("price"),
        "{}",
        unpriced.text
    );
    assert!(unpriced.text.contains("where you left off"));
    assert!(unpriced.text.contains("Set a password:\n"));
}

#[test]
fn mail_shows_a_shops_own_texts_as_text() {
    let mut site = site();
    site.brand = "Rescue & <b>Co</b>".to_owned();
    let letters = Letters::new(&site, URL, None).unwrap();
    let fields = json!({ "letter": "password-changed", "password_page": URL });
    let letter = render(&letters, fields.as_object().unwrap());
    assert!(letter.html.contains("Rescue &amp; &lt;b&gt;Co&lt;/b&gt;"));
    // This password may be the first one.
    assert!(letter.subject.ends_with("password was set"));
    assert!(!letter.text.contains("changed"));
    assert!(!letter.html.contains("<b>"));
    assert!(letter.text.contains("Rescue & <b>Co</b>"));

    let mut samples = samples::sample_letters().into_iter();
    let mut fields = samples
        .find(|sample| sample["letter"] == "not-renewable")
        .unwrap();
    fields["reason"] = json!("Too old.\n\nReference: {{ 7 * 7 }}\r\nPay here.");
    let letter = render(&letters, &fields);
    let decline_text = "Too old.  Reference: {{ 7 * 7 }}";
    let decline_text = decline_text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(
        letter.text.contains(&format!("{decline_text} Pay here.\n")),
        "{}",
        letter.text
    );
    assert_eq!(letter.text.matches("\nReference:").count(), 1);
}

#[test]
fn what_a_template_is_given_is_listed_for_operators() {
    let page = include_str!("../../../docs/OPERATING.md");
    let mut fields = BTreeSet::new();
    for (letter, shared, own) in LETTERS {
        let listed: Vec<String> = own
            .split_whitespace()
            .map(|field| format!("`{field}`"))
            .collect();
        let row = format!(" | {} |", listed.join(", "));
        let mut rows = page
            .lines()
            .filter(|row| row.starts_with(&format!("| `{letter}.txt` |")));
        let found = rows.next().unwrap_or_default();
        assert!(
            found.ends_with(&row.replace("|  |", "| |")),
            "{letter}: {row}, not {found}"
        );
        fields.extend(shared.split_whitespace().chain(own.split_whitespace()));
    }
    let mut listed: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
    for sample in samples::sample_letters() {
        for (name, value) in &sample {
            let first = value.as_array().and_then(|items| items.first());
            let inner = first.unwrap_or(value).as_object();
            let inner = inner.into_iter().flat_map(|fields| fields.keys());
            listed.extend(inner.map(|field| format!("{name}.{field}")));
        }
    }
    for field in listed {
        let row = format!("| `{field}` |");
        assert!(page.lines().any(|line| line.starts_with(&row)), "{field}");
    }
}
