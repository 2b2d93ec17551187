//! Payments, refunds, disputes and their ledger.

use chrono::{DateTime, Utc};
use indexmap::IndexMap;
use layby::domain::money::Pence;
use layby::domain::money::ledger::{Account, Entry, Movement};
use layby::domain::money::price::Per;
use layby::domain::payment::dispute::{Dispute, DisputeMove, DisputeStatus};
use layby::domain::payment::refund::{
    ManualRefund, Refund, RefundCalls, RefundFinding, RefundLookup, RefundMethod, RefundStatus,
};
use layby::domain::payment::sandbox::{
    SandboxPayment, SandboxRefund, SandboxRefundState, SandboxState, TestCard,
};
use layby::domain::payment::settlement::{Accepted, LineKind, LineOutcome, SettlementLine};
use layby::domain::payment::{
    CardExpiry, CardOnFile, Currency, Decline, DeclineClass, Failure, FailureClass, FollowUp,
    InstalmentNumbers, Instrument, Keys, Mode, PageKind, PageMethod, Payment, PaymentFrequency,
    PaymentPage, PaymentResolution, PaymentSource, PaymentStatus, PaymentWay, Purpose, References,
    UnappliedReason, UnreadMessage, Unresolved, UnresolvedReason,
};
use layby::store::tables;

use super::quotes::{consent, price};
use super::{Golden, at, every, golden, hash, id, text};
fn payment(number: u128, status: PaymentStatus, kind: PageKind) -> Payment {
    Payment {
        id: id(number),
        quote: id(1),
        revision: 2,
        amount: Pence(7850),
        currency: Currency::Gbp,
        provider: text("sandbox"),
        mode: Mode::Test,
        references: References::from([(text("session"), format!("cs_{number}"))]),
        keys: Keys(IndexMap::from([(text("SecurityKey"), text("JEUPDN1N7E"))])),
        status,
        page: Some(PaymentPage {
            kind,
            url: text("http://127.0.0.1:8080/sandbox/pay"),
            method: PageMethod::Post,
            fields: IndexMap::from([(text("token"), text("t-1")), (text("a"), text("b"))]),
        }),
        message: Some(text("Your card was declined.")),
        failure: Some(Failure {
            class: FailureClass::Declined,
            is_final: true,
        }),
        decline: Some(Decline {
            class: DeclineClass::Retryable,
            code: Some(text("insufficient_funds")),
        }),
        requested: Some(at(32)),
        unresolved: None,
        consent: Some(consent()),
        purpose: Purpose::Change(id(30)),
        frequency: PaymentFrequency::Monthly { payments: 12 },
        by: PaymentSource::Instrument(id(41)),
        created: at(30),
        updated: at(31),
        paid_at: Some(at(32)),
        reversed: Some(Pence(7850)),
        unapplied: Some(UnappliedReason::TooLate),
        unread_messages: vec![UnreadMessage {
            reference: text("evt_1"),
            kind: text("charge.dispute.created"),
            received: at(33),
            follow_up: Some(FollowUp {
                by: text("Jo"),
                why: text("refunded it"),
                at: at(34),
            }),
        }],
    }
}

fn instrument() -> Instrument {
    Instrument {
        id: id(47),
        payment: id(40),
        gateway: text("stripe"),
        mode: Mode::Live,
        card: CardOnFile {
            tokens: Keys(IndexMap::from([(text("customer"), text("cus_1"))])),
            scheme_reference: Some(text("MCC123")),
            brand: Some(text("visa")),
            last_four: Some(text("4242")),
            expiry: Some(CardExpiry {
                month: 12,
                year: 2034,
            }),
        },
        consent: consent(),
        removed: Some(at(48)),
        is_unusable: true,
    }
}

fn payments() -> Vec<Payment> {
    let kinds = every![PageKind: Iframe, Redirect];
    let statuses = every![PaymentStatus:
        Started, Pending, Processing, Paid, Failed, Unresolved, Reversed,
    ];
    let modes = every![Mode: Test, Live];
    let classes = every![FailureClass: Declined, Expired, Abandoned, Unknown];
    let all = (40..).zip(statuses).zip(kinds.iter().cycle());
    let mut all: Vec<_> = all
        .map(|((number, status), kind)| payment(number, status, *kind))
        .collect();
    for (payment, mode) in all.iter_mut().zip(modes.iter().cycle()) {
        payment.mode = *mode;
    }
    for (payment, class) in all.iter_mut().zip(classes) {
        let is_final = class == FailureClass::Declined;
        payment.failure = Some(Failure { class, is_final });
    }
    let classes = every![DeclineClass: Never, Retryable, Customer, Unknown];
    for (payment, class) in all.iter_mut().zip(classes) {
        payment.decline = Some(Decline { class, code: None });
    }
    let reasons = every![UnresolvedReason: NoAnswer, UnderReview, OtherCurrency, Reversed];
    let ways = every![PaymentWay: NotPaid, GivenBack, Recovered];
    for ((payment, reason), way) in all.iter_mut().rev().zip(reasons).zip(ways.iter().cycle()) {
        payment.unresolved = Some(Unresolved {
            reason,
            resolution: Some(PaymentResolution {
                method: *way,
                by: text("Jo Bloggs"),
                why: text("looked up"),
                at: at(32),
            }),
        });
    }
    let numbers = InstalmentNumbers::new(&[1, 2]);
    let purposes = [
        Purpose::Sale,
        Purpose::Change(id(30)),
        Purpose::Renewal,
        Purpose::Instalments(numbers),
    ];
    let sources = [
        PaymentSource::Page,
        PaymentSource::Instrument(id(41)),
        PaymentSource::Transfer,
    ];
    let own = purposes.into_iter().zip(sources.into_iter().cycle());
    for (payment, (purpose, by)) in all.iter_mut().zip(own) {
        (payment.purpose, payment.by) = (purpose, by);
    }
    all[0].frequency = PaymentFrequency::Annual;
    all[0].page = None;
    all[0].message = None;
    all[1].failure = None;
    all
}

/// Returns a movement of each kind. Together they use every account.
fn entries() -> Vec<Entry> {
    let (gross, tax): (Pence, Pence) = (Pence(1120), Pence(120));
    let moved = at(40);
    let make = |movement: &Movement| -> Entry {
        let when: DateTime<Utc> = moved;
        match movement {
            Movement::Sale => Entry::sale(when, id(1), &price(Per::Year)),
            Movement::Payment => Entry::payment(when, "sandbox", id(40), gross),
            Movement::Increase => Entry::increase(when, id(30), gross, tax),
            Movement::Decrease => Entry::decrease(when, id(30), gross, tax),
            Movement::Cancellation => {
                Entry::cancellation(when, id(20), gross, tax, Pence(250), Pence(500))
            }
            Movement::Reversed => Entry::reversed(when, "stripe", id(40), gross),
            Movement::Unapplied => Entry::unapplied(when, id(40), gross),
            Movement::Refund => Entry::refund(when, "sandbox", id(50), gross),
            Movement::Held => Entry::hold_payment(when, id(30), gross),
            Movement::RefundFailed => Entry::refund_failed(when, "stripe", id(50), gross),
            Movement::Disputed => Entry::disputed(when, "stripe", id(70), gross),
            Movement::DisputeReturned => Entry::disputed(when, "stripe", id(70), -gross),
            Movement::WrittenOff => Entry::write_off(when, id(70), gross),
            Movement::Settled => Entry::settle(when, "stripe", id(40), gross, Pence(37)),
            Movement::ProviderFee => Entry::provider_fee(when, id(71), Pence(37)),
            Movement::RefundByHand => Entry::refund_by_hand(when, "stripe", id(51), gross),
            Movement::Accepted => Entry::accept_unmatched(when, id(72), gross, Pence(37)),
            Movement::ManualRefund => Entry::paid_by_transfer(when, id(52), gross),
        }
    };
    let movements = every![Movement:
        Sale, Payment, Increase, Decrease, Cancellation, Unapplied, Refund, Held, RefundFailed,
        Disputed, DisputeReturned, WrittenOff, Settled, ProviderFee, RefundByHand, ManualRefund,
        Accepted, Reversed,
    ];
    let entries: Vec<_> = movements.iter().map(make).collect();
    for account in every![Account:
        Customer, Gateway { provider: text("stripe") }, Bank, ProviderFees, Premium, Tax, Fees,
        Refunds, Disputes, WrittenOff,
    ] {
        let touched = entries.iter().flat_map(Entry::postings);
        assert!(touched.into_iter().any(|own| own.account == account));
    }
    entries
}

fn refunds() -> Vec<Refund> {
    let statuses = every![RefundStatus: Pending, Paid, Refused, Failed, Unconfirmed];
    let ways = every![RefundMethod: Transfer, AlreadyRefunded];
    let findings = every![RefundFinding: Made, NotMade];
    let by_hand = ways.iter().zip(&findings).cycle();
    let all = (50..).zip(statuses).zip(by_hand);
    let refunds = all.map(|((number, status), (way, finding))| Refund {
        id: id(number),
        policy: id(1),
        payment: id(40),
        cause_id: id(20),
        amount: Pence(4821),
        status,
        message: Some(text("Your bank refused the refund.")),
        created: at(50),
        updated: at(51),
        reference: Some(format!("re_{number}")),
        requested: Some(RefundCalls {
            first: at(50),
            last: at(51),
        }),
        is_from_gateway: status == RefundStatus::Failed,
        is_after_backup: status == RefundStatus::Failed,
        manual: Some(ManualRefund {
            method: *way,
            by: text("Jo Bloggs"),
            why: text("Faster payment 4711 of 22 November"),
            at: at(52),
        }),
        lookup: Some(RefundLookup {
            finding: *finding,
            by: text("Jo Bloggs"),
            why: text("found in the portal"),
            at: at(52),
        }),
    });
    refunds.collect()
}

fn disputes() -> Vec<Dispute> {
    let statuses = every![DisputeStatus: Inquiry, Open, Won, Lost, Prevented];
    let disputes = (70..).zip(statuses).map(|(number, status)| Dispute {
        id: id(number),
        policy: id(1),
        payment: id(40),
        provider: text("stripe"),
        reference: format!("dp_{number}"),
        amount: Pence(7850),
        status,
        reason: Some(text("fraudulent")),
        reply_by: Some(at(70)),
        moves: vec![DisputeMove {
            reference: text("txn_1"),
            amount: Pence(7850),
        }],
        written_off: Pence(7850),
        is_from_report: number > 70,
        decision: (number > 71).then(|| FollowUp {
            by: text("Jo Bloggs"),
            why: text("decided in the portal"),
            at: at(63),
        }),
        created: at(60),
        updated: at(61),
    });
    disputes.collect()
}

/// Returns lines of payout reports of every kind, with every outcome.
fn lines() -> Vec<([u8; 32], SettlementLine)> {
    let kinds = every![LineKind:
        Payment, Refund, RefundFailure, Dispute, DisputeReturned, Fee, Other,
    ];
    let outcomes = every![LineOutcome: Settled, Waiting, Mismatched, Unknown];
    let all = kinds.into_iter().zip(outcomes.iter().cycle()).zip(1..);
    let all = all.map(|((kind, outcome), number)| {
        let line = SettlementLine {
            provider: text("stripe"),
            reference: format!("pi_{number}"),
            kind,
            subject_id: Some(id(40)),
            policy: Some(id(1)),
            payout: Some(text("po_1")),
            gross: Pence(7850),
            fee: Pence(137),
            outcome: *outcome,
            why: Some(text("The amount is another one.")),
            read: at(80),
            accepted: Some(Accepted {
                by: text("Jo Bloggs"),
                why: text("Our gift to the climate"),
                at: at(81),
            }),
        };
        (hash(number), line)
    });
    all.collect()
}

/// Returns the sandbox's payments in every state, with every card.
fn sandbox() -> Vec<SandboxPayment> {
    let states = every![SandboxState:
        Open, Challenge, Paid, Declined, NoFunds, ChallengeFailed, Closed, Refunded,
    ];
    let cards = every![TestCard:
        Pays, Declined, NoFunds, Challenge, Late, Silent, Twice, SlowRefund, RefundRefused,
        DeclinedLater, Disputed,
    ];
    let refunds = every![SandboxRefundState: Pending, Done, Refused];
    let refunds = (50..).zip(refunds).map(|(number, state)| SandboxRefund {
        id: id(number),
        amount: Pence(107),
        state,
        due: at(60),
    });
    let refunds: Vec<_> = refunds.collect();
    let all = (40..).zip(cards).zip(states.iter().cycle());
    all.map(|((number, card), state)| SandboxPayment {
        payment: id(number),
        amount: Pence(7850),
        description: text("Breakdown cover"),
        return_url: text("http://127.0.0.1:8080/payment/return"),
        state: *state,
        card: Some(card),
        created: at(30),
        refunds: refunds.clone(),
    })
    .collect()
}

pub async fn rows() -> Vec<Golden> {
    let payments = payments().into_iter().map(|one| (one.id, one));
    let sandbox = sandbox().into_iter().map(|one| (one.payment, one));
    let entries = (1..).zip(entries());
    let entries = entries.map(|(number, entry)| ((id(1), number), entry));
    let refunds = refunds().into_iter().map(|one| (one.id, one));
    let disputes = disputes().into_iter().map(|one| (one.id, one));
    let charged = Entry::provider_fee(at(40), id(71), Pence(37));
    vec![
        golden(&tables::PAYMENTS, payments.collect()).await,
        golden(&tables::INSTRUMENTS, vec![(id(47), instrument())]).await,
        golden(
            &tables::INSTRUMENT_BY_TOKEN,
            vec![((text("stripe cus_1"), id(47)), ())],
        )
        .await,
        golden(&tables::PAYMENT_BY_QUOTE, vec![((id(1), id(40)), ())]).await,
        golden(
            &tables::PAYMENT_BY_REFERENCE,
            vec![((text("sandbox"), text("cs_40")), id(40))],
        )
        .await,
        golden(&tables::SANDBOX, sandbox.collect()).await,
        golden(&tables::LEDGER, entries.collect()).await,
        golden(&tables::REFUNDS, refunds.collect()).await,
        golden(&tables::REFUND_BY_POLICY, vec![((id(1), id(50)), ())]).await,
        golden(&tables::DISPUTES, disputes.collect()).await,
        golden(&tables::DISPUTE_BY_POLICY, vec![((id(1), id(70)), ())]).await,
        golden(&tables::SETTLEMENT_LINES, lines()).await,
        golden(
            &tables::SETTLEMENT_LINE_BY_POLICY,
            vec![((id(1), hash(1)), ())],
        )
        .await,
        golden(&tables::SHOP_LEDGER, vec![(1, charged)]).await,
    ]
}
