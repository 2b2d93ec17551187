//! Quotes, their revisions and indexes, and partners' requests.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use layby::domain::money::Pence;
use layby::domain::money::price::{Line, Per, Price};
use layby::domain::payment::{Consent, PaymentFrequency};
use layby::domain::quote::answers::Answers;
use layby::domain::quote::campaign::SourceTracking;
use layby::domain::quote::lookup::{
    LookupResult, Mot, MotStatus, Source, StoredLookup, Tax, TaxStatus, Vehicle,
};
use layby::domain::quote::{Acceptance, ByPartner, Origin, Quote, QuoteStatus, Revision, Version};
use layby::store::tables::{
    self, Click, FirstAnswer, PartnerRequest, QuoteMails, SentAt, WaitingLetter,
};
use serde_json::{Value, json};

use super::{Golden, at, by_time, day, every, golden, hash, hex, id, text};

/// Returns the map of a JSON object.
fn fields(value: Value) -> serde_json::Map<String, Value> {
    value.as_object().cloned().unwrap()
}

pub fn answers() -> Answers {
    let vehicle =
        fields(json!({ "registration": "AB12 CDE", "value": 10_250.5, "modified": false }));
    Answers {
        values: fields(json!({
            "first_name": "Zoë", "level": 3, "auto_renew": true, "inception_date": "2026-11-22",
        })),
        multi: IndexMap::from([(text("vehicles"), vec![vehicle])]),
    }
}

pub fn line(code: &str, amount: i64) -> Line {
    Line {
        code: text(code),
        label: format!("The line {code}"),
        amount: Pence(amount),
        note: Some(text("free by a campaign")),
    }
}

pub fn consent() -> Consent {
    Consent {
        version: 1,
        text: text("We charge the card you pay with now."),
        at: at(3),
        by: Some(id(60)),
        covers_renewals: true,
    }
}

pub fn price(per: Per) -> Price {
    let without_note = Line {
        note: None,
        ..line("tax", 781)
    };
    Price {
        lines: vec![line("base", 6519), without_note],
        charges: vec![line("administration", 500)],
        net: Pence(6519),
        tax: Pence(781),
        taxed: Pence(7300),
        total: Pence(7800),
        currency: text("GBP"),
        per,
        inception: day(1),
        expiry: day(365),
    }
}

fn looked_up(source: Source, mot: MotStatus, tax: TaxStatus) -> LookupResult {
    LookupResult {
        vehicle: Vehicle {
            registration: text("AB12 CDE"),
            make: Some(text("Ford")),
            model: Some(text("Fiesta")),
            colour: Some(text("Red")),
            fuel: Some(text("Petrol")),
            first_registered: Some(day(-6000)),
            mot: Some(Mot {
                status: mot,
                until: Some(day(30)),
            }),
            tax: Some(Tax {
                status: tax,
                until: Some(day(60)),
            }),
            source,
        },
        at: at(7),
    }
}

fn revision(number: u32, per: Per) -> Revision {
    Revision {
        number,
        at: at(number.into()),
        product_hash: hex(2),
        answers: answers().into(),
        price: Some(price(per)),
        inception: Some(day(1)),
        expiry: Some(day(365)),
        path: Some(text("/quote/edit/00000000-0000-0000-0000-000000000001")),
        lookups: vec![kept_lookup()],
    }
}

pub(super) fn kept_lookup() -> StoredLookup {
    StoredLookup {
        id: id(90),
        looked_up: looked_up(Source::Dvsa, MotStatus::Valid, TaxStatus::Taxed),
        confirmed: true,
    }
}

fn quote(frequency: PaymentFrequency) -> Quote {
    let tracking = SourceTracking {
        external_uuid: Some(text("click-1")),
        utm_source: Some(text("source1")),
        utm_campaign: Some(text("spring")),
        utm_medium: Some(text("affiliate")),
    };
    Quote {
        uuid: id(1),
        reference: text("BD-1000-0001"),
        product: text("breakdown"),
        status: QuoteStatus::Quote,
        reason: Some(text("A vehicle is older than we cover.")),
        current: revision(2, Per::Year),
        tokens: vec![hex(3), hex(4)],
        resume: vec![hex(5)],
        document_links: vec![hex(6)],
        created: at(1),
        updated: at(2),
        expires: Some(at(1440)),
        accepted: Some(Acceptance {
            revision: 2,
            amount: Pence(7800),
            at: at(3),
            frequency,
            consent: Some(consent()),
        }),
        shown_to: vec![hex(3)],
        exclusion_answers: BTreeMap::from([(text("tow"), true), (text("mot"), false)]),
        holder_name: text("Zoë O’Neill"),
        owner: Some(id(60)),
        mailbox: Some(text("zoe@example.org")),
        origin: Origin {
            tracking,
            affiliate_uuid: Some(text("affiliate-1")),
            affiliate_request_uuid: Some(text("request-1")),
            affiliate_extra: Some(json!({ "theirs": 7 })),
        },
        partner: Some(ByPartner {
            partner: text("compare"),
            reference: text("risk-1"),
            service: text("quote"),
            additional: Some(json!({ "page": "results", "place": 2.5 })),
            shown_price: Some(Pence(7801)),
        }),
        renews: Some(id(2)),
        versions: vec![
            Version {
                number: 1,
                at: at(1),
                amount: None,
            },
            Version {
                number: 2,
                at: at(2),
                amount: Some(Pence(7800)),
            },
        ],
    }
}

/// Returns quotes in every status: the first with every field, the others without the optional ones.
fn quotes() -> Vec<(uuid::Uuid, Quote)> {
    let mut statuses = every![QuoteStatus:
        Quote, Draft, Live, Refer, Cancelled, AdjustmentDraft, NotTakenUp, Expired, Renewed,
        Partial, Declined, Lapsed,
    ]
    .into_iter();
    let frequencies = every![PaymentFrequency: Monthly { payments: 12 }, Annual];
    let mut full = quote(frequencies[0]);
    full.status = statuses.next().unwrap();
    let bare = (100..).zip(statuses).map(|(number, status)| Quote {
        uuid: id(number),
        reference: format!("BD-1000-0{number}"),
        product: text("breakdown"),
        status,
        reason: None,
        current: Revision::none(at(1)),
        tokens: Vec::new(),
        resume: Vec::new(),
        document_links: Vec::new(),
        created: at(1),
        updated: at(2),
        expires: None,
        accepted: None,
        exclusion_answers: BTreeMap::new(),
        shown_to: Vec::new(),
        holder_name: String::new(),
        owner: None,
        mailbox: None,
        origin: Origin::default(),
        partner: None,
        renews: None,
        versions: Vec::new(),
    });
    let bare: Vec<_> = bare.collect();
    let all = [full].into_iter().chain(bare);
    all.map(|quote| (quote.uuid, quote)).collect()
}

pub async fn rows() -> Vec<Golden> {
    let pers = every![Per: Year, Trip];
    let revisions = (1..).zip(pers).map(|(number, per)| {
        let revision = revision(number, per);
        ((id(1), number), revision)
    });
    let quotes = quotes();
    let (full, bare) = (&quotes[0].1, &quotes[1].1);
    let entries = vec![
        ((id(60), id(1)), full.list_entry(None)),
        ((id(60), bare.uuid), bare.list_entry(None)),
    ];
    let mails = QuoteMails {
        waiting: Some(WaitingLetter {
            quote: id(1),
            since: at(6),
        }),
        sent: vec![SentAt(at(4)), SentAt(at(5))],
    };
    let request = PartnerRequest {
        quote: id(1),
        body: hex(6),
        answered: FirstAnswer {
            status: QuoteStatus::Refer,
            reason: Some(text("A vehicle is older than we cover.")),
            expires: Some(at(1440)),
        },
    };
    let click = Click {
        quote: id(1),
        used: Some(at(6)),
    };
    let name = || text("zoe@example.org");
    let sources = every![Source: Sample, Dvsa, Ves];
    let mots = every![MotStatus: Valid, NotDue, Expired];
    let taxes = every![TaxStatus: Taxed, Untaxed, Sorn];
    let lookups = sources.into_iter().zip(mots).zip(taxes).zip(90..);
    let lookups =
        lookups.map(|(((source, mot), tax), number)| (id(number), looked_up(source, mot, tax)));
    vec![
        golden(&tables::QUOTES, quotes.clone()).await,
        golden(&tables::LOOKUPS, lookups.collect()).await,
        golden(&tables::REVISIONS, revisions.collect()).await,
        golden(&tables::QUOTE_BY_OWNER, entries).await,
        golden(&tables::UNCLAIMED_BY_NAME, vec![((name(), id(1)), ())]).await,
        golden(&tables::POLICY_BY_MAILBOX, vec![((name(), id(2)), ())]).await,
        golden(&tables::QUOTE_MAILS, vec![(name(), mails)]).await,
        golden(&tables::QUOTE_BY_EXPIRY, vec![((by_time(1440), id(1)), ())]).await,
        golden(&tables::QUOTE_BY_SAVED, vec![((day(0), id(2)), ())]).await,
        golden(
            &tables::PARTNER_REQUESTS,
            vec![((text("compare"), text("risk-1")), request)],
        )
        .await,
        golden(&tables::CLICKS, vec![(hash(7), click)]).await,
        golden(
            &tables::PARTNER_REQUEST_BY_QUOTE,
            vec![(id(1), (text("compare"), text("risk-1")))],
        )
        .await,
        golden(&tables::CLICK_BY_QUOTE, vec![((id(1), hash(7)), ())]).await,
    ]
}
