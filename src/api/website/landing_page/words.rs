//! The HTML of a page before any script runs. The page where a quote starts has the layout, the headline,
//! prices and the phone number. The website's script replaces this HTML. So the HTML has the elements and
//! classes of `ui/src/layout/` and `ui/src/features/quote/hero/Hero.tsx`. A browser test compares the
//! positions of the elements.

use maud::{Markup, PreEscaped, html};

use crate::app::quotes::first_prices::{ChoicePrice, FirstPrices};
use crate::config::SiteSettings;
use crate::domain::money::price::{Basis, Per};
use crate::domain::product::first_page::StartField;
use crate::domain::product::{Info, Offer};

const CHECK: &str = "m5 12.5 4.5 4.5L19 7.5";
const PHONE: &str = "M5 4h4l1.5 5-2.5 1.5a12 12 0 0 0 5.5 5.5L15 13.5l5 1.5v4a1.5 1.5 0 0 1-1.5 1.5A15.5 15.5 0 0 1 3.5 5.5 1.5 1.5 0 0 1 5 4Z";
const PERSON: &str =
    "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4.5 20.5c1.2-3.6 4-5.5 7.5-5.5s6.3 1.9 7.5 5.5";
const MENU: &str = "M4 6.5h16M4 12h16M4 17.5h16";
const DOWN: &str = "m6 9.5 6 6 6-6";

/// The two classes of a button in the header. In CSS, the second class composes the first.
const MENU_BUTTON: &str = "basics-NightButton-button layout-Dropdown-button";

/// Returns the text for browsers without scripts, on a page without other content.
pub(super) fn without_script(site: &SiteSettings) -> String {
    let markup = html! {
        p {
            "This page needs JavaScript. Please turn it on, or call us on "
            a href=(telephone(&site.phone)) { (site.phone) } " (" (site.hours) "). Broken down? Call "
            a href=(telephone(&site.assistance_phone)) { (site.assistance_phone) } ", day and night."
        }
    };
    markup.into_string()
}

/// Returns the page where a quote starts, as HTML.
pub(super) fn quote_start_page(
    site: &SiteSettings,
    info: &Info,
    prices: Option<&FirstPrices>,
    offers: &[&Offer],
) -> String {
    let page = html! {
        noscript { style { (PreEscaped(".prerender-script{display:none}")) } }
        div class="layout-Layout-shell" {
            a href="#main" class="layout-Layout-skip" { "Skip to main content" }
            (toolbar(site))
            main id="main" class="layout-Layout-main" {
                div class="mantine-Container-root journey-Journey-page prerender-page" {
                    (hero(site, info, prices, offers))
                    div class="journey-Journey-placeholder" {
                        @if let Some(note) = &info.price_note { p { (note) } }
                        (no_script_text(site))
                    }
                }
            }
            footer class="layout-Footer-footer" {
                div class="layout-Footer-inner" {
                    nav aria-label="Legal and contact" {
                        ul class="layout-Footer-links" {
                            li { a href="/help" class="layout-Footer-link" { "Help" } }
                            @for (href, label) in [
                                (&site.links.terms, "Terms"),
                                (&site.links.privacy, "Privacy"),
                                (&site.links.cookies, "Cookies"),
                                (&site.links.contact, "Contact"),
                            ] {
                                li { a href=(href) class="layout-Footer-link" { (label) } }
                            }
                        }
                    }
                    div class="layout-Footer-texts" {
                        div { @for text in &site.footer { p { (text) } } }
                        section aria-labelledby="complaints" {
                            h2 id="complaints" class="layout-Footer-heading" { "How to complain" }
                            p { (site.complaints) }
                        }
                    }
                }
            }
        }
    };
    page.into_string()
}

fn toolbar(site: &SiteSettings) -> Markup {
    html! {
        header class="layout-Toolbar-bar" {
            div class="layout-Toolbar-inner" {
                a href="/" class="layout-Toolbar-brand" aria-label=(format!("{} home", site.brand)) {
                    svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true" {
                        rect width="32" height="32" rx="8" fill="var(--layby-ink)" {}
                        path d="M9 8v12.5a3.5 3.5 0 0 0 3.5 3.5H23" fill="none" stroke="#fff" stroke-width="4"
                            stroke-linecap="round" {}
                        circle cx="21.5" cy="11" r="4.5" fill="var(--layby-amber)" {}
                    }
                    span class="layout-Toolbar-name" { (site.brand) }
                }
                div class="layout-Toolbar-end" {
                    nav aria-label="Main" class="layout-Toolbar-wide" {
                        ul class="layout-Toolbar-links" {
                            @for (href, label) in [
                                (&site.links.about_us, "About us"),
                                (&site.links.motor, "Motor"),
                                (&site.links.contact, "Contact"),
                            ] {
                                li { a href=(href) class="layout-Toolbar-link" { (label) } }
                            }
                        }
                    }
                    div class="layout-Toolbar-wide" {
                        a href="/broken-down" class=(format!("{MENU_BUTTON} prerender-button")) {
                            span class="layout-Toolbar-lamp" { (drawing(PHONE, 20)) }
                            "Broken down?"
                            (chevron())
                        }
                    }
                    div class="layout-Toolbar-narrow prerender-script" aria-hidden="true" {
                        span class=(MENU_BUTTON) {
                            (drawing(MENU, 20))
                            span class="layout-Toolbar-menuLabel" { "Menu" }
                            (chevron())
                        }
                    }
                    a href="/portal" class=(format!("{MENU_BUTTON} prerender-button prerender-script")) {
                        span class="layout-AccountMenu-icon" { (drawing(PERSON, 20)) }
                        "My Account"
                        (chevron())
                    }
                }
            }
        }
    }
}

fn hero(
    site: &SiteSettings,
    info: &Info,
    prices: Option<&FirstPrices>,
    offers: &[&Offer],
) -> Markup {
    let start = format_start(info.min_bind_days);
    let offers = offers.iter().map(|offer| format_offer(offer));
    html! {
        div class="hero-Hero-hero" data-pictured[info.coverage_map.is_some()] {
            div class="hero-Hero-intro" {
                h1 class="hero-Hero-headline" { (info.headline) }
                @if let Some(from) = info.price_from {
                    p class="hero-Hero-from" {
                        "From " strong { (from) } " a year"
                        @if let Some(whom) = &info.price_from_for { " for " (whom) }
                    }
                }
                ul class="hero-Hero-facts" {
                    @for fact in offers.chain(info.facts.iter().cloned()).chain([start]) {
                        li { (drawing(CHECK, 20)) span { (fact) } }
                    }
                }
                @if let Some(start_field) = &info.start_field {
                    (start_form(start_field))
                }
                @if let Some(prices) = prices { (levels(prices)) }
                a href=(telephone(&site.phone)) class="hero-Assumptions-open" {
                    (drawing(PHONE, 20)) "Call us on " (site.phone) ", " (site.hours)
                }
            }
        }
    }
}

/// Returns the form with the first question. It sends nothing. The press opens the popover, so that the
/// script finds the typed text and the press (`ui/src/features/quote/hero/prerenderedForm.ts`).
fn start_form(start_field: &StartField) -> Markup {
    html! {
        form class="hero-RegistrationForm-form prerender-form prerender-script" method="dialog" {
            label for="prerender-plate" class="hero-RegistrationForm-label" { (start_field.label) }
            div class="hero-RegistrationForm-row" {
                div class="hero-RegistrationForm-plate" {
                    span class="hero-RegistrationForm-band" aria-hidden="true" { "UK" }
                    input id="prerender-plate" class="hero-RegistrationForm-input" maxlength="12"
                        autocomplete="off" autocapitalize="characters" spellcheck="false";
                }
                button type="button" class="hero-RegistrationForm-submit" popovertarget="prerender-press"
                    popovertargetaction="show" { (start_field.button) }
            }
            span class="hero-RegistrationForm-other prerender-centred" aria-hidden="true" { (start_field.other) }
            div id="prerender-press" class="prerender-wait" popover="manual" role="status" { "One moment, please" }
        }
    }
}

/// Returns the list of choices with their prices.
fn levels(prices: &FirstPrices) -> Markup {
    let note = match prices.for_whom.as_slice() {
        [] => "What each level costs".to_string(),
        whom => format!(
            "Prices are for {}, until you tell us about yours.",
            whom.join(", ")
        ),
    };
    html! {
        section class="comparison-LevelStrip-strip prerender-levels" {
            p class="comparison-LevelStrip-note" { (note) }
            ul class="comparison-LevelStrip-row" {
                @for choice in &prices.choices {
                    li class="comparison-LevelStrip-level" {
                        span class="comparison-LevelStrip-name" { (choice.label) }
                        (price(choice))
                    }
                }
            }
        }
    }
}

/// Formats a price as the website does (`ui/src/features/quote/price/OptionPrice.tsx`).
fn price(choice: &ChoicePrice) -> Markup {
    let (before, after) = match (choice.basis, choice.price.per) {
        (Basis::Day, _) => ("from ", " a day"),
        (Basis::Term, Per::Year) => ("", "/year"),
        (Basis::Term, Per::Trip) => ("", "/trip"),
    };
    html! {
        span class="price-OptionPrice-price" {
            span class="price-OptionPrice-amount" {
                @if !before.is_empty() { span class="price-OptionPrice-per" { (before) } }
                (choice.price.total)
                span class="price-OptionPrice-per" { (after) }
            }
        }
    }
}

/// Returns the text under the headline for browsers without scripts.
fn no_script_text(site: &SiteSettings) -> Markup {
    html! {
        noscript {
            p {
                "To get a quote here, please turn on JavaScript. Or call us on "
                a href=(telephone(&site.phone)) { (site.phone) } " (" (site.hours) ")."
            }
            p {
                "Broken down? Call "
                a href=(telephone(&site.assistance_phone)) { (site.assistance_phone) } ", day and night."
            }
        }
    }
}

/// Formats an extra that a campaign makes free (`offers.ts`).
fn format_offer(offer: &Offer) -> String {
    let note = offer.note.to_lowercase();
    format!(
        "{} {note}, {} a year if you renew it",
        offer.label, offer.price
    )
}

/// Formats the earliest start of cover, by the days from today (`Hero.tsx`).
fn format_start(days: i64) -> String {
    match days {
        0 => "Starts as early as today".to_string(),
        1 => "Starts as early as tomorrow".to_string(),
        _ => format!("Starts as early as {days} days from now"),
    }
}

/// Formats a number for a `tel:` link.
fn telephone(number: &str) -> String {
    let digits: String = number
        .chars()
        .filter(|sign| *sign == '+' || sign.is_ascii_digit())
        .collect();
    format!("tel:{digits}")
}

fn chevron() -> Markup {
    html! { span class="layout-Dropdown-chevron" { (drawing(DOWN, 16)) } }
}

fn drawing(path: &str, size: u32) -> Markup {
    html! {
        svg width=(size) height=(size) viewBox="0 0 24 24" fill="none" stroke="currentColor"
            stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" {
            path d=(PreEscaped(path)) {}
        }
    }
}
