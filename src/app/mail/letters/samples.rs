//! Samples of every letter, with which its template is checked: each value that decides what it says, in
//! combination with the others.

use serde_json::{Map, Value, json};

use crate::domain::renewal::COMPARE;

/// Combinations of one letter that are all tried. Of more every seventh is: no field has a number of
/// choices that seven divides, so that each value comes up with each other.
const MOST: usize = 20_000;
const STEP: usize = 7;

/// What the letters about a policy share.
const POLICY: &str = "first_password single_trip product reference page";
/// What the letters about a payment share.
const PAYMENT: &str = "is_policy too_late product reference paid_on";

/// The letters: what the fields are that several share, and those of each.
pub(super) const LETTERS: [(&str, &str, &str); 28] = [
    (
        "quote-saved",
        "product reference",
        "resume held_price trip refusal chosen open_until password_link",
    ),
    ("first-password", "", "link"),
    ("reset-password", "", "link"),
    ("password-changed", "", "password_page"),
    ("confirm-address", "", "link"),
    ("address-changed", "", ""),
    ("address-change-asked", "", "password_page"),
    ("address-taken", "", "link"),
    (
        "bought",
        POLICY,
        "help_phone help_hours begins follows expiry paid renewable charge_on",
    ),
    ("change-made", POLICY, "from what money asked"),
    ("change-agreed", POLICY, "from what money"),
    ("change-withdrawn", POLICY, "from what refund"),
    (
        "cancelled",
        POLICY,
        "from last_day at_once never_covered refund cancelled_change next",
    ),
    (
        "cancellation-agreed",
        POLICY,
        "from last_day refund cancelled_change next",
    ),
    (
        "cancellation-withdrawn",
        POLICY,
        "from expiry cancelled_change",
    ),
    ("not-taken-up", POLICY, "refund cancelled_change earlier"),
    (
        "renewal-quoted",
        POLICY,
        "expiry starts current_price price new_customer charge_on change_from quote compare",
    ),
    ("not-renewable", POLICY, "expiry reason"),
    ("card-refused", POLICY, "expiry price quote"),
    ("not-renewed", POLICY, "expiry"),
    ("card-unclear", POLICY, "expiry over"),
    ("ended", POLICY, "expiry late_renewal charging uncharged"),
    ("surplus", PAYMENT, "amount is_disputed"),
    ("refund-owed", PAYMENT, "amount came_back is_surplus"),
    ("refund-paid", PAYMENT, "amount by_transfer"),
    ("disputed", PAYMENT, "amount"),
    ("dispute-lost", PAYMENT, "amount owed_refund is_decided"),
    ("dispute-won", PAYMENT, "owed_refund"),
];

/// What each field may be.
fn choices() -> Map<String, Value> {
    let to_card = json!([{ "route": "card", "amount": "GBP 12.30" }]);
    let every_route = json!([
        { "route": "card", "amount": "GBP 10.00" },
        { "route": "dispute", "amount": "GBP 1,234.56" },
        { "route": "already_had", "amount": "GBP 2.50" },
        { "route": "transfer", "amount": "GBP 0.99" },
        { "route": "owed", "amount": "GBP 1,042.50" },
    ]);
    let neighbour = |reference, day| json!([null, { "reference": reference, "day": day }]);
    let change = |refund| json!({ "from": "24 December 2026", "refund": refund });
    let money = |paid, lost, refund| json!({ "paid": paid, "lost": lost, "refund": refund });
    let paid = json!("GBP 15.43");
    let link =
        "https://cover.example.org/reset-password?aid=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm8&x=1";
    let password_page = "https://cover.example.org/retrieve-password";
    let quote = "https://cover.example.org/quote/edit/019aa57c-3b60-7c3e-9d5e-0f5a2f9a4c12";
    let first = |code| json!({ "link": link, "code": code, "password_page": password_page });
    let fields = [
        ("amount", json!(["GBP 96.32"])),
        ("asked", json!([null, "20 November 2026"])),
        ("at_once", json!([false, true])),
        ("begins", json!(["09:05, 25 November 2026"])),
        ("by_transfer", json!([false, true])),
        ("came_back", json!([false, true])),
        (
            "cancelled_change",
            json!([
                null,
                change(json!([])),
                change(to_card.clone()),
                change(every_route.clone())
            ]),
        ),
        ("change_from", json!([null, "20 November 2026"])),
        ("charge_on", json!([null, "24 November 2026"])),
        ("charging", json!([false, true])),
        (
            "chosen",
            json!([
                null,
                "AB12 CDE, K1 NGS, A1 ABC; Vehicle cover; National cover; GBP 30 Excess included"
            ]),
        ),
        ("compare", json!([COMPARE])),
        ("current_price", json!(["GBP 96.32"])),
        ("earlier", neighbour("BRK0000000018", "30 November 2026")),
        ("expiry", json!(["24 November 2026"])),
        (
            "first_password",
            json!([null, first(Value::Null), first(json!("ABCD-EFGH"))]),
        ),
        ("follows", neighbour("BRK0000000016", "30 November 2026")),
        ("from", json!(["5 December 2026"])),
        (
            "held_price",
            json!([null, { "amount": "GBP 96.32 a year", "until": "5 December 2026" }]),
        ),
        ("help_hours", json!([null, "At any hour"])),
        ("help_phone", json!(["01632 960 999"])),
        ("is_decided", json!([false, true])),
        ("is_disputed", json!([false, true])),
        ("is_policy", json!([false, true])),
        ("is_surplus", json!([false, true])),
        ("last_day", json!([null, "4 December 2026"])),
        (
            "late_renewal",
            json!([null, { "until": "25 November 2026", "quote": quote }]),
        ),
        ("link", json!([link])),
        (
            "money",
            json!([
                money(None, None, Value::Null),
                money(Some(&paid), None, Value::Null),
                money(Some(&paid), Some("GBP 7.00"), Value::Null),
                money(None, None, json!([])),
                money(None, None, every_route.clone()),
            ]),
        ),
        ("never_covered", json!([false, true])),
        ("new_customer", json!([null, "GBP 89.99"])),
        ("next", neighbour("BRK0000000018", "25 December 2026")),
        ("open_until", json!(["21 December 2026"])),
        ("over", json!([false, true])),
        ("owed_refund", json!([null, "GBP 4.50"])),
        (
            "page",
            json!(["https://cover.example.org/policy/view/019aa57c-3b60-7c3e-9d5e-0f5a2f9a4c11"]),
        ),
        ("paid", json!(["GBP 96.32"])),
        ("paid_on", json!(["2 November 2026"])),
        ("password_link", json!([null, link])),
        ("password_page", json!([password_page])),
        ("price", json!([null, "GBP 101.21"])),
        ("product", json!(["Vehicle breakdown cover"])),
        ("quote", json!([quote])),
        (
            "reason",
            json!(["We don't cover vehicles that are older than 20 years."]),
        ),
        ("reference", json!(["BRK0000000017"])),
        ("refund", json!([[], to_card, every_route])),
        (
            "refusal",
            json!([
                null,
                { "declined": true, "reason": "We don't cover vehicles that are older than 20 years." },
                { "declined": false, "reason": "We have to look at vehicles like this one." },
            ]),
        ),
        ("renewable", json!([false, true])),
        (
            "resume",
            json!([
                "https://cover.example.org/quote/edit/019aa57c-3b60-7c3e-9d5e-0f5a2f9a4c11#resume=Zm9vYmF"
            ]),
        ),
        ("single_trip", json!([false, true])),
        ("starts", json!(["25 November 2026"])),
        ("too_late", json!([false, true])),
        ("trip", json!([false, true])),
        (
            "uncharged",
            json!([null, "https://cover.example.org/cover/breakdown"]),
        ),
        (
            "what",
            json!([[
                "Level of cover: National & <Home> instead of Local",
                "Registration: AB12 CDE added"
            ]]),
        ),
    ];
    let fields = fields
        .into_iter()
        .map(|(field, values)| (field.to_owned(), values));
    fields.collect()
}

/// Samples of every letter, as its template is given them.
pub(super) fn every_letter() -> Vec<Map<String, Value>> {
    let choices = choices();
    let none = Vec::new();
    let mut letters = Vec::new();
    for (letter, shared, own) in LETTERS {
        let fields = shared
            .split(' ')
            .chain(own.split(' '))
            .filter(|field| !field.is_empty());
        let fields: Vec<(&str, &Vec<Value>)> = fields
            .map(|field| {
                (
                    field,
                    choices
                        .get(field)
                        .and_then(Value::as_array)
                        .unwrap_or(&none),
                )
            })
            .collect();
        let all: usize = fields.iter().map(|(_, values)| values.len()).product();
        for number in (0..all).step_by(if all > MOST { STEP } else { 1 }) {
            let mut rest = number;
            let mut sample = Map::from_iter([("letter".to_owned(), json!(letter))]);
            for (field, values) in &fields {
                let value = values.get(rest % values.len()).cloned();
                sample.insert((*field).to_owned(), value.unwrap_or_default());
                rest /= values.len();
            }
            letters.push(sample);
        }
    }
    letters
}
