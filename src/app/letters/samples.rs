//! Samples of every letter, for the check of the templates. The samples combine the values of the
//! fields that change a letter's text.

use serde_json::{Map, Value, json};

use crate::domain::policy::renewal::COMPARE;

/// The maximum number of combinations of one letter that are all rendered. If a letter has more
/// combinations, every seventh combination is rendered. No field's number of values is divisible by
/// seven. So every pair of values of two fields is still rendered.
const MAX_COMBINATIONS: usize = 1_000;
const STEP: usize = 7;

/// Fields that the letters about a policy share.
const POLICY: &str =
    "first_password is_single_trip enclosures product reference policy_page payments_page";
/// Fields that the letters about a payment share.
const PAYMENT: &str =
    "is_policy has_ended is_due_again is_too_late product reference payment_date payments_page";

/// Each letter's name, the fields it shares with others, and its own fields.
pub(super) const LETTERS: [(&str, &str, &str); 39] = [
    (
        "quote-saved",
        "product reference",
        "resume_link held_price is_for_trips refusal choices open_until password_link",
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
        "help_phone help_hours choices cover_begins cooling_off_end previous_policy expiry paid is_renewable charge_date",
    ),
    (
        "renewed-by-card",
        POLICY,
        "help_phone help_hours choices cover_begins cooling_off_end previous_policy expiry paid card charge_date",
    ),
    (
        "renewal-reminder",
        POLICY,
        "expiry renewal_start renewal_price first_payment payment_date card arrears renewal_page",
    ),
    (
        "change-made",
        POLICY,
        "effective_date changes money request_date",
    ),
    ("change-agreed", POLICY, "effective_date changes money"),
    ("change-withdrawn", POLICY, "effective_date changes refund"),
    (
        "cancelled",
        POLICY,
        "effective_date last_day is_immediate is_before_start refund cancelled_change stopped_payments next_policy",
    ),
    (
        "cancellation-agreed",
        POLICY,
        "effective_date last_day refund cancelled_change stopped_payments next_policy",
    ),
    (
        "cancellation-withdrawn",
        POLICY,
        "effective_date expiry is_notice cancelled_change unpaid_end",
    ),
    (
        "not-taken-up",
        POLICY,
        "refund cancelled_change stopped_payments previous_policy",
    ),
    (
        "renewal-quoted",
        POLICY,
        "expiry renewal_start current_price price new_customer_price charge_date payments change_date renewal_page comparison",
    ),
    ("not-renewable", POLICY, "expiry reason"),
    (
        "card-refused",
        POLICY,
        "expiry price next_try arrears renewal_page",
    ),
    ("not-renewed", POLICY, "expiry"),
    ("card-unclear", POLICY, "expiry is_instalment has_ended"),
    ("plan-started", POLICY, "payments total has_card"),
    ("plan-changed", POLICY, "payments total has_card"),
    (
        "instalment-failed",
        POLICY,
        "due_amount is_card_charged needs_customer retry_date pay_page",
    ),
    ("plan-notice", POLICY, "due_amount end_day earlier_end"),
    ("plan-reminder", POLICY, "due_amount end_day earlier_end"),
    (
        "cancelled-by-shop",
        POLICY,
        "cause is_before_start end_day refund stopped_payments next_policy",
    ),
    (
        "end-notice",
        POLICY,
        "cause last_day refund cancelled_change stopped_payments next_policy",
    ),
    ("plan-paid", POLICY, "total expiry"),
    (
        "ended",
        POLICY,
        "expiry late_renewal is_charge_pending stopped_payments new_quote_page",
    ),
    ("unapplied-payment", PAYMENT, "amount is_disputed"),
    ("payment-reversed", PAYMENT, "amount paid_for"),
    (
        "refund-owed",
        PAYMENT,
        "amount is_by_transfer is_returned is_unapplied is_unconfirmed",
    ),
    ("refund-paid", PAYMENT, "amount is_by_transfer is_to_card"),
    ("disputed", PAYMENT, "amount"),
    (
        "dispute-lost",
        PAYMENT,
        "amount owed_refund is_decided due_again is_due_later",
    ),
    ("dispute-won", PAYMENT, "owed_refund paid_twice"),
];

/// Returns the sample values of each field.
fn choices() -> Map<String, Value> {
    let to_card = json!([{ "route": "card", "amount": "GBP 12.30" }]);
    let every_route = json!([
        { "route": "card", "amount": "GBP 10.00" },
        { "route": "dispute", "amount": "GBP 1,234.56" },
        { "route": "already_refunded", "amount": "GBP 2.50" },
        { "route": "transfer", "amount": "GBP 0.99" },
        { "route": "owed", "amount": "GBP 1,042.50" },
    ]);
    let adjacent = |reference, day| json!([null, { "reference": reference, "day": day }]);
    let change = |refund| json!({ "effective_date": "24 December 2026", "refund": refund });
    let money = |paid, lost, refund| json!({ "paid": paid, "is_spread": false, "returned_by_bank": lost, "refund": refund });
    let spread =
        json!({ "paid": null, "is_spread": true, "returned_by_bank": null, "refund": null });
    let paid = json!("GBP 15.43");
    let link =
        "https://cover.example.org/reset-password?aid=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm8&x=1";
    let password_page = "https://cover.example.org/retrieve-password";
    let quote = "https://cover.example.org/quote/edit/019aa57c-3b60-7c3e-9d5e-0f5a2f9a4c12";
    let policy_page = "https://cover.example.org/policy/view/019aa57c-3b60-7c3e-9d5e-0f5a2f9a4c14#documents=Zm9vYmF";
    let first = |code| json!({ "link": link, "code": code, "password_page": password_page });
    let fields = [
        ("amount", json!(["GBP 96.32"])),
        ("arrears", json!([null, "GBP 8.02"])),
        (
            "cancelled_change",
            json!([
                null,
                change(json!([])),
                change(to_card.clone()),
                change(every_route.clone())
            ]),
        ),
        ("card", json!([null, "card ending in 4242"])),
        ("change_date", json!([null, "20 November 2026"])),
        (
            "changes",
            json!([[
                "Level of cover: National & <Home> instead of Local",
                "Registration: AB12 CDE added"
            ]]),
        ),
        (
            "cause",
            json!(["Your bank took back a payment for this policy"]),
        ),
        ("charge_date", json!([null, "24 November 2026"])),
        ("next_try", json!([null, "17 November 2026"])),
        (
            "choices",
            json!([
                null,
                "AB12 CDE, K1 NGS, A1 ABC; Vehicle cover; National cover; GBP 30 Excess included"
            ]),
        ),
        ("comparison", json!([COMPARE])),
        ("cooling_off_end", json!([null, "9 December 2026"])),
        ("cover_begins", json!(["09:05, 25 November 2026"])),
        ("current_price", json!(["GBP 96.32"])),
        (
            "enclosures",
            json!([
                null,
                { "attached": ["Policy Schedule", "Policy Wording"], "page": null, "is_late": false },
                { "attached": [], "page": policy_page, "is_late": false },
                { "attached": [], "page": policy_page, "is_late": true },
            ]),
        ),
        ("effective_date", json!(["5 December 2026"])),
        ("due_amount", json!(["GBP 8.02"])),
        (
            "earlier_end",
            json!([
                null,
                { "last_day": "2 January 2027", "is_requested": true },
                { "last_day": "2 January 2027", "is_requested": false },
            ]),
        ),
        ("end_day", json!(["6 January 2027"])),
        ("expiry", json!(["24 November 2026"])),
        ("first_payment", json!([null, "GBP 8.02"])),
        (
            "first_password",
            json!([null, first(Value::Null), first(json!("ABCD-EFGH"))]),
        ),
        ("has_card", json!([false, true])),
        ("has_ended", json!([false, true])),
        (
            "held_price",
            json!([null, { "amount": "GBP 96.32 a year", "last_day": "5 December 2026" }]),
        ),
        ("help_hours", json!([null, "At any hour"])),
        ("help_phone", json!(["01632 960 999"])),
        ("is_before_start", json!([false, true])),
        ("is_by_transfer", json!([false, true])),
        ("is_card_charged", json!([false, true])),
        ("is_charge_pending", json!([false, true])),
        ("is_decided", json!([false, true])),
        ("is_disputed", json!([false, true])),
        ("is_due_again", json!([false, true])),
        ("is_for_trips", json!([false, true])),
        ("is_immediate", json!([false, true])),
        ("is_due_later", json!([false, true])),
        ("is_instalment", json!([false, true])),
        ("is_notice", json!([false, true])),
        ("is_policy", json!([false, true])),
        ("is_renewable", json!([false, true])),
        ("is_returned", json!([false, true])),
        ("is_unconfirmed", json!([false, true])),
        ("is_single_trip", json!([false, true])),
        ("is_unapplied", json!([false, true])),
        ("is_to_card", json!([false, true])),
        ("is_too_late", json!([false, true])),
        ("last_day", json!([null, "4 December 2026"])),
        (
            "late_renewal",
            json!([null, { "last_day": "25 November 2026", "renewal_page": quote }]),
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
                spread,
            ]),
        ),
        ("needs_customer", json!([false, true])),
        ("new_customer_price", json!([null, "GBP 89.99"])),
        (
            "new_quote_page",
            json!([null, "https://cover.example.org/cover/breakdown"]),
        ),
        ("next_policy", adjacent("BRK0000000018", "25 December 2026")),
        ("open_until", json!(["21 December 2026"])),
        ("owed_refund", json!([null, "GBP 4.50"])),
        ("due_again", json!([null, "GBP 9.26"])),
        ("paid_twice", json!([null, "GBP 9.26"])),
        ("paid", json!(["GBP 96.32"])),
        ("paid_for", json!(["cover", "change", "monthly_payments"])),
        ("password_link", json!([null, link])),
        ("password_page", json!([password_page])),
        (
            "payments",
            json!([
                [],
                [
                    "Payment 1: 21 November 2026, GBP 4.05, paid",
                    "Payment 2: 21 December 2026, GBP 4.01"
                ]
            ]),
        ),
        (
            "pay_page",
            json!([
                "https://cover.example.org/payment/019aa57c-3b60-7c3e-9d5e-0f5a2f9a4c11?plan=due"
            ]),
        ),
        (
            "payments_page",
            json!([
                "https://cover.example.org/policy/view/019aa57c-3b60-7c3e-9d5e-0f5a2f9a4c13#payments"
            ]),
        ),
        ("payment_date", json!(["2 November 2026"])),
        (
            "policy_page",
            json!(["https://cover.example.org/policy/view/019aa57c-3b60-7c3e-9d5e-0f5a2f9a4c11"]),
        ),
        (
            "previous_policy",
            adjacent("BRK0000000016", "30 November 2026"),
        ),
        ("price", json!([null, "GBP 101.21"])),
        ("product", json!(["Vehicle breakdown cover"])),
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
                { "is_declined": true, "reason": "We don't cover vehicles that are older than 20 years." },
                { "is_declined": false, "reason": "We have to look at vehicles like this one." },
            ]),
        ),
        ("renewal_page", json!([quote])),
        ("renewal_price", json!(["GBP 101.21"])),
        ("renewal_start", json!(["25 November 2026"])),
        ("request_date", json!([null, "20 November 2026"])),
        (
            "stopped_payments",
            json!([
                null,
                { "count": 1, "total": "GBP 4.01" },
                { "count": 11, "total": "GBP 44.11" },
            ]),
        ),
        ("retry_date", json!([null, "24 December 2026"])),
        ("unpaid_end", json!([null, "6 January 2027"])),
        ("total", json!(["GBP 48.16"])),
        (
            "resume_link",
            json!([
                "https://cover.example.org/quote/edit/019aa57c-3b60-7c3e-9d5e-0f5a2f9a4c11#resume=Zm9vYmF"
            ]),
        ),
    ];
    let fields = fields.into_iter();
    fields
        .map(|(field, values)| (field.to_owned(), values))
        .collect()
}

/// Returns samples of every letter, as templates get them.
pub(super) fn sample_letters() -> Vec<Map<String, Value>> {
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
        for number in (0..all).step_by(if all > MAX_COMBINATIONS { STEP } else { 1 }) {
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
