use chrono::NaiveDate;

use super::Letter;
use super::letter::Written;
use crate::config::{Config, Layers, Site};

const RESUME: &str = "https://cover.example.org/quote/edit/019aa57c-3b60-7c3e-9d5e-0f5a2f9a4c11\
    #resume=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyMDE";
const CHOSEN: &str = "AB12 CDE, K1 NGS, XY34 ZZZ, A1 ABC; Vehicle cover; National cover; \
    GBP 30 Excess included";
const LINK: &str =
    "https://cover.example.org/reset-password?aid=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyMDE";

fn site() -> Site {
    Config::load(&Layers::default()).unwrap().site
}

fn written(letter: Letter<'_>) -> Written {
    letter.write(&site(), "https://cover.example.org")
}

fn quote<'a>(until: Option<NaiveDate>, first_password: Option<&'a str>) -> Letter<'a> {
    Letter::QuoteSaved {
        product: "Vehicle breakdown cover",
        reference: "BRK0000000017",
        resume: RESUME,
        chosen: Some(CHOSEN),
        price: until.map(|day| ("GBP 96.32 a year", day)),
        trip: false,
        refused: None,
        open_until: NaiveDate::from_ymd_opt(2026, 12, 21).unwrap_or_default(),
        first_password,
    }
}

fn day() -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(2026, 12, 5)
}

/// Every letter, and the links it is about.
fn all() -> Vec<(Letter<'static>, Vec<&'static str>)> {
    vec![
        (quote(day(), Some(LINK)), vec![RESUME, LINK]),
        (quote(None, None), vec![RESUME]),
        (Letter::FirstPassword { link: LINK }, vec![LINK]),
        (Letter::ResetPassword { link: LINK }, vec![LINK]),
        (
            Letter::PasswordChanged,
            vec!["https://cover.example.org/retrieve-password"],
        ),
        (Letter::ConfirmAddress { link: LINK }, vec![LINK]),
        (Letter::AddressChanged, vec![]),
        (
            Letter::AddressChangeAsked,
            vec!["https://cover.example.org/retrieve-password"],
        ),
        (Letter::AddressTaken { reset: LINK }, vec![LINK]),
    ]
}

#[test]
fn mail_says_the_same_in_both_versions_and_its_links_are_whole() {
    for (letter, links) in all() {
        let Written {
            subject,
            html,
            text,
        } = written(letter);
        assert!(!subject.is_empty() && !subject.contains('\n'), "{subject}");
        for link in links {
            assert!(text.lines().any(|line| line == link), "{link} in {text}");
            assert!(html.contains(&format!("href=\"{link}\"")), "{link}: {html}");
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
fn mail_about_an_account_says_what_to_do_when_it_was_somebody_else() {
    for (letter, _) in all() {
        let text = written(letter).text;
        let helped = ["Not your quote?", "Not expecting this?", "Not you?"];
        assert!(helped.iter().any(|words| text.contains(words)), "{text}");
    }
}

#[test]
fn mail_loads_nothing_follows_nobody_and_travels_unquoted() {
    for (letter, _) in all() {
        let Written { html, text, .. } = written(letter);
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

/// The text without the blanks that line its facts up.
fn single_spaced(text: &str) -> String {
    let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n";
    text.lines().map(line).collect()
}

#[test]
fn mail_about_a_quote_says_how_long_the_price_holds_only_when_it_has_one() {
    let priced = written(quote(day(), None));
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
    let said = priced.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(CHOSEN), "{said}");
    assert!(!priced.text.contains("Set a password"));
    let unpriced = written(quote(None, Some(LINK)));
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
    let letter = Letter::PasswordChanged.write(&site, "https://cover.example.org");
    assert!(letter.html.contains("Rescue &amp; &lt;b&gt;Co&lt;/b&gt;"));
    // It may be the first one.
    assert!(letter.subject.ends_with("password was set"));
    assert!(!letter.text.contains("changed"));
    assert!(!letter.html.contains("<b>"));
    assert!(letter.text.contains("Rescue & <b>Co</b>"));
}
