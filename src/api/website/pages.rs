//! The website's pages: their addresses, and the file of the website that each is written in.

use uuid::Uuid;

/// The front page's product with one of its covers: the specification's own address (part 2).
pub(in crate::api) const FRONT: &str = "/breakdown/:cover?";

/// Where somebody who has broken down reads whom to call, and whether there is cover.
pub(in crate::api) const BROKEN_DOWN: &str = "/broken-down";

/// The rescue card: a page with a file of its own, since it must open without a network and needs little.
pub(in crate::api) const RESCUE_CARD: &str = "/rescue-card";

/// The file of the rescue card.
pub(super) const CARD: &str = "rescue-card/index.html";

/// Where a partner's customer arrives, whose id is the partner's.
const AGGREGATOR: &str = "/aggregator/:id?";

/// Where a quote for any product begins.
pub(in crate::api) const COVER: &str = "/cover/:product";

/// The website's pages by their patterns, as its own router has them (`ui/src/lib/routes/patterns.ts`). Of two
/// that fit an address the first counts. A part with a question mark may be missing.
pub const PAGES: [&str; 16] = [
    "/",
    BROKEN_DOWN,
    FRONT,
    COVER,
    "/dashboard",
    "/portal",
    AGGREGATOR,
    "/retrieve-password",
    "/reset-password",
    "/confirm-email",
    "/payment/processing/:id?",
    "/payment/success/:id?",
    "/payment/failure/:id?",
    "/payment/:id?",
    "/policy/view/:id?",
    "/quote/edit/:id?",
];

/// The page of an address that the website doesn't have.
pub(in crate::api) const UNKNOWN: &str = "/:unknown";

/// The files of `ui/` that a page's code begins in: the browser fetches them, and what they need, while it
/// still reads the page.
pub(super) fn sources(page: &str) -> &'static [&'static str] {
    match page {
        "/" => &["src/pages/Home.tsx"],
        FRONT => &["src/pages/Breakdown.tsx"],
        COVER => &["src/pages/Cover.tsx"],
        BROKEN_DOWN => &["src/pages/BrokenDown.tsx"],
        "/dashboard" => &["src/pages/Dashboard.tsx"],
        "/portal" => &["src/pages/Portal.tsx"],
        AGGREGATOR => &["src/pages/Aggregator.tsx"],
        "/retrieve-password" => &["src/pages/RetrievePassword.tsx"],
        "/reset-password" => &["src/pages/ResetPassword.tsx"],
        "/confirm-email" => &["src/pages/ConfirmEmail.tsx"],
        "/payment/processing/:id?" => &["src/pages/PaymentProcessing.tsx"],
        "/payment/success/:id?" => &["src/pages/PaymentSuccess.tsx"],
        "/payment/failure/:id?" => &["src/pages/PaymentFailure.tsx"],
        "/payment/:id?" => &["src/pages/Payment.tsx"],
        "/policy/view/:id?" => &["src/pages/PolicyView.tsx"],
        "/quote/edit/:id?" => &["src/pages/QuoteEdit.tsx"],
        _ => &[],
    }
}

/// Whether a page is for anybody. All others are a customer's own, and no search engine's.
pub(in crate::api) fn is_public(page: &str) -> bool {
    ["/", BROKEN_DOWN, FRONT, COVER].contains(&page)
}

/// The product of the front page.
pub(in crate::api) fn front_product() -> &'static str {
    FRONT.split('/').nth(1).unwrap_or_default()
}

/// Whether the front page sells this product.
pub(in crate::api) fn is_front(product: &str) -> bool {
    matches_pattern(FRONT, &[product])
}

/// Whether an address, cut at its slashes, is one of this pattern, and its id one that a quote or policy
/// may have.
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

/// Whether the id in a page's address is ours, as the website's guard has it (`ui/src/lib/routes/guards.ts`).
fn takes_uuid(pattern: &str) -> bool {
    pattern.ends_with("/:id?") && pattern != AGGREGATOR
}

/// Whether the id at the end of an address is a uuid with its hyphens, or left out.
fn has_uuid(pattern: &str, segments: &[&str]) -> bool {
    let place = pattern.split('/').count() - 2;
    segments
        .get(place)
        .is_none_or(|id| id.len() == 36 && Uuid::try_parse(id).is_ok())
}
