//! The addresses of the website's pages, and the files with the code of the pages.

use uuid::Uuid;

/// The page of the front page's product, with or without a preset of the product. The specification defines
/// this address (part 2).
pub(in crate::api) const FRONT: &str = "/breakdown/:cover?";

/// The page for a breakdown at the roadside: whom to call, and whether there is cover.
pub(in crate::api) const BROKEN_DOWN: &str = "/broken-down";

/// The questions and answers.
pub(in crate::api) const HELP: &str = "/help";

/// The rescue card. It has a file of its own, because it must open without a network.
pub(in crate::api) const RESCUE_CARD: &str = "/rescue-card";

/// The file of the rescue card.
pub(super) const CARD: &str = "rescue-card/index.html";

/// The landing page for a partner's customer. The id is the click-through id that the partner received.
const AGGREGATOR: &str = "/aggregator/:id?";

/// The page where a quote for any product starts.
pub(in crate::api) const COVER: &str = "/cover/:product";

/// The website's pages: the pattern, as in `ui/src/lib/routes/patterns.ts`, and the file of `ui/src/pages/`
/// with the page's code. The browser loads that file and the file's imports while the browser still parses
/// the page. The first pattern that matches an address counts. A part with a question mark is optional.
pub const PAGES: [(&str, &str); 17] = [
    ("/", "Home.tsx"),
    (BROKEN_DOWN, "BrokenDown.tsx"),
    (HELP, "Help.tsx"),
    (FRONT, "Breakdown.tsx"),
    (COVER, "quote/Cover.tsx"),
    ("/dashboard", "account/Dashboard.tsx"),
    ("/portal", "account/Portal.tsx"),
    (AGGREGATOR, "quote/Aggregator.tsx"),
    ("/retrieve-password", "account/RetrievePassword.tsx"),
    ("/reset-password", "account/ResetPassword.tsx"),
    ("/confirm-email", "account/ConfirmEmail.tsx"),
    ("/payment/processing/:id?", "payment/PaymentProcessing.tsx"),
    ("/payment/success/:id?", "payment/PaymentSuccess.tsx"),
    ("/payment/failure/:id?", "payment/PaymentFailure.tsx"),
    ("/payment/:id?", "payment/Payment.tsx"),
    ("/policy/view/:id?", "PolicyView.tsx"),
    ("/quote/edit/:id?", "quote/QuoteEdit.tsx"),
];

/// The page for an address that the website does not have.
pub(in crate::api) const UNKNOWN: &str = "/:unknown";

/// Returns the file of `ui/` with a page's code.
pub(super) fn source(page: &str) -> Option<String> {
    let (_, file) = PAGES.into_iter().find(|(pattern, _)| *pattern == page)?;
    Some(format!("src/pages/{file}"))
}

/// Checks whether a page is public. `/robots.txt` excludes every other page.
pub(in crate::api) fn is_public(page: &str) -> bool {
    ["/", BROKEN_DOWN, HELP, FRONT, COVER].contains(&page)
}

/// Returns the product of the front page.
pub(in crate::api) fn front_product() -> &'static str {
    FRONT.split('/').nth(1).unwrap_or_default()
}

/// Checks whether the front page sells this product.
pub(in crate::api) fn is_front(product: &str) -> bool {
    matches_pattern(FRONT, &[product])
}

/// Checks whether an address, split at its slashes, matches a pattern, and whether its id is valid.
pub(super) fn matches_pattern(pattern: &str, segments: &[&str]) -> bool {
    let mut rest = segments.iter();
    let all = pattern
        .split('/')
        .skip(1)
        .all(|part| match (part.strip_prefix(':'), rest.next()) {
            (Some(name), None) => name.ends_with('?'),
            (Some(_), Some(_)) => true,
            (None, segment) => segment == Some(&part),
        });
    all && rest.next().is_none() && (!takes_uuid(pattern) || has_uuid(pattern, segments))
}

/// Checks whether the id in a page's address must be a uuid. The website has the same rule
/// (`ui/src/lib/routes/guards.ts`).
fn takes_uuid(pattern: &str) -> bool {
    pattern.ends_with("/:id?") && pattern != AGGREGATOR
}

/// Checks whether the id at the end of an address is a uuid with hyphens, or is left out.
fn has_uuid(pattern: &str, segments: &[&str]) -> bool {
    let place = pattern.split('/').count() - 2;
    segments
        .get(place)
        .is_none_or(|id| id.len() == 36 && Uuid::try_parse(id).is_ok())
}
