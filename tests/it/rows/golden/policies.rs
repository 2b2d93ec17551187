//! Policies and their changes.

use layby::domain::money::Pence;
use layby::domain::money::ledger::plan::PlanRest;
use layby::domain::money::price::Per;
use layby::domain::payment::FollowUp;
use layby::domain::policy::adjustment::{
    Adjustment, AdjustmentFigures, AdjustmentStatus, AnswerChange, SpreadChange,
};
use layby::domain::policy::cancellation::{
    Cancellation, CancellationNotice, ReturnPremium, ScheduledCancellation, ScheduledStatus,
};
use layby::domain::policy::plan::{EndNotice, NoticeLetter, PaymentPlan, PlanStatus};
use layby::domain::policy::renewal::{CardCharge, QuotedRenewal, RenewalLetter, RenewalStatus};
use layby::domain::policy::{Policy, ScheduledEvent};
use layby::store::tables::{self, RescueCardKey, StoredRescueCards};

use uuid::Uuid;

use super::quotes::kept_lookup;
use super::quotes::{answers, line, price};
use super::{Golden, at, day, every, golden, hex, id, text};

fn follow_up() -> FollowUp {
    FollowUp {
        by: text("Jo"),
        why: text("the holder objected"),
        at: at(35),
    }
}

fn policy() -> Policy {
    Policy {
        uuid: id(1),
        revision: 2,
        inception: day(1),
        expiry: day(365),
        cover_begins: at(1440),
        purchased: at(10),
        payment: id(40),
        instrument: Some(id(47)),
        charging_stopped: Some(follow_up()),
        paid: Pence(7800),
        auto_renew: true,
        renews_at_once: true,
        registrations: vec![text("AB12 CDE")],
        cancellation: Some(Cancellation {
            id: id(20),
            reason: Some(2),
            note: Some(text("Sold it.")),
            effective: day(100),
            created: at(11),
            refund: ReturnPremium {
                amount: Pence(4821),
                premium: Pence(6821),
                charges: Pence(500),
                tax: Pence(731),
                fee: Pence(2500),
                plan: Some(PlanRest {
                    uncollected: Pence(3400),
                    written_off: Pence(120),
                    tax: Pence(13),
                }),
                lines: vec![line("premium", 6821), line("fee", -2500)],
            },
            dropped: Some(id(31)),
        }),
        renewal: RenewalStatus::Quoted(QuotedRenewal {
            quote: id(3),
            follows: 2,
            notice: Some(RenewalLetter {
                revision: 1,
                on: day(12),
            }),
            card: CardCharge::Queued,
            scheduled_change: Some(id(34)),
        }),
        scheduled_change: Some(ScheduledEvent {
            id: id(34),
            on: day(65),
        }),
        scheduled_end: Some(ScheduledEvent {
            id: id(20),
            on: day(100),
        }),
    }
}

fn scheduled_cancellation(number: u128, status: ScheduledStatus) -> ScheduledCancellation {
    ScheduledCancellation {
        id: id(number),
        policy: id(1),
        status,
        reason: 2,
        note: Some(text("Sold it.")),
        effective: day(100),
        created: at(11),
        refund: policy().cancellation.unwrap().refund,
        dropped: Some(id(31)),
        ended_at: Some(at(12)),
        notice: Some(CancellationNotice {
            order: follow_up(),
            is_sent: true,
        }),
    }
}

fn adjustment(number: u128, status: AdjustmentStatus) -> Adjustment {
    Adjustment {
        id: id(number),
        policy: id(1),
        base: 1,
        status,
        answers: answers(),
        price: price(Per::Year),
        before: Pence(7000),
        // The other changes have the older stored form, in which a change named no look-ups.
        lookups: match status {
            AdjustmentStatus::Agreed => vec![kept_lookup()],
            _ => Vec::new(),
        },
        figures: AdjustmentFigures {
            amount: Pence(-251),
            tax: Pence(-27),
            days_left: 300,
            days_in_term: 365,
            lines: vec![line("after", 2), line("before", -253)],
        },
        effective: day(65),
        changes: vec![AnswerChange {
            path: text("vehicles[0].registration"),
            label: text("Registration"),
            before: text("AB12 CDE"),
            after: text("XY34 ZZZ"),
        }],
        created: at(20),
        applied: Some(at(21)),
        revision: Some(2),
        agreed: Some(at(21)),
        spread: Some(SpreadChange {
            before: vec![Pence(405), Pence(401)],
            refund: Pence(89),
        }),
        ended_at: Some(at(22)),
    }
}

fn rescue_cards() -> StoredRescueCards {
    let key = RescueCardKey {
        hash: hex(4),
        made: at(12),
    };
    StoredRescueCards { keys: vec![key] }
}

/// Returns plans in every status. The first has an open charge.
fn plans() -> Vec<(Uuid, PaymentPlan)> {
    let notice = EndNotice {
        ends_on: day(53),
        letter: NoticeLetter::Reminder,
        is_sent: true,
        next_try: Some(day(40)),
    };
    let statuses = every![PlanStatus:
        Active,
        Failed { since: day(31), next_try: Some(day(34)) },
        Notice { 0: notice },
        Ended,
    ];
    let plans = (1..).zip(statuses).map(|(number, status)| {
        let mut plan = PaymentPlan::new(Pence(7800), &[day(1), day(31), day(62)]).unwrap();
        plan.status = status;
        (id(number), plan)
    });
    let mut plans: Vec<_> = plans.collect();
    plans[0].1.start_charge(day(31)).unwrap();
    plans[1].1.record_loss(id(9), &[0], Pence(2600), day(0));
    plans
}

pub async fn rows() -> Vec<Golden> {
    let bare = Policy {
        uuid: id(2),
        cancellation: None,
        renewal: RenewalStatus::NotRenewed,
        scheduled_change: None,
        scheduled_end: None,
        ..policy()
    };
    let with = |number: u128, renewal: RenewalStatus| Policy {
        uuid: id(number),
        renewal,
        ..bare.clone()
    };
    let quoted = |card| {
        RenewalStatus::Quoted(QuotedRenewal {
            quote: id(3),
            follows: 2,
            notice: None,
            card,
            scheduled_change: None,
        })
    };
    let policies = vec![
        policy(),
        bare.clone(),
        with(3, RenewalStatus::Due { on: day(344) }),
        with(4, quoted(CardCharge::None)),
        with(5, quoted(CardCharge::Declined)),
        with(6, quoted(CardCharge::Retrying { on: day(17) })),
    ];
    let policies = policies.into_iter().map(|policy| (policy.uuid, policy));
    let statuses = every![AdjustmentStatus:
        Pending, Applied, Expired, Superseded, Agreed, Withdrawn,
    ];
    let adjustments = (30..).zip(statuses);
    let adjustments = adjustments.map(|(number, status)| (id(number), adjustment(number, status)));
    let later = (20..).zip(every![ScheduledStatus: Pending, Done, Withdrawn, Overtaken]);
    let later = later.map(|(number, status)| (id(number), scheduled_cancellation(number, status)));
    vec![
        golden(&tables::POLICIES, policies.collect()).await,
        golden(
            &tables::POLICY_BY_REGISTRATION,
            vec![((text("AB12CDE"), id(1)), ())],
        )
        .await,
        golden(
            &tables::POLICY_BY_REFERENCE,
            vec![((text("BRK000000018"), id(1)), ())],
        )
        .await,
        golden(&tables::PLANS, plans()).await,
        golden(&tables::PLAN_BY_DAY, vec![((day(3), id(1)), ())]).await,
        golden(&tables::RESCUE_CARDS, vec![(id(1), rescue_cards())]).await,
        golden(&tables::ADJUSTMENTS, adjustments.collect()).await,
        golden(&tables::ADJUSTMENT_BY_POLICY, vec![((id(1), id(30)), ())]).await,
        golden(&tables::POLICY_BY_EXPIRY, vec![((day(365), id(1)), ())]).await,
        golden(&tables::POLICY_BY_RENEWAL, vec![((day(344), id(1)), ())]).await,
        golden(&tables::SCHEDULED_CANCELLATIONS, later.collect()).await,
        golden(
            &tables::SCHEDULED_CANCELLATION_BY_POLICY,
            vec![((id(1), id(20)), ())],
        )
        .await,
        golden(
            &tables::POLICY_BY_SCHEDULED_DAY,
            vec![((day(65), id(1)), ())],
        )
        .await,
    ]
}
