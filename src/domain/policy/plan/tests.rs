//! Plans: charges day by day, payments of the customer, and changes of the price.

use uuid::Uuid;

use super::*;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// Returns a plan of £48.16 in twelve instalments, from 23 November 2026.
fn plan() -> PaymentPlan {
    let days = instalment_days(day("2026-11-23"), day("2027-11-23"), 12);
    PaymentPlan::new(Pence(4816), &days).unwrap()
}

fn amounts(plan: &PaymentPlan) -> Vec<i64> {
    plan.instalments.iter().map(|own| own.amount.0).collect()
}

/// Charges the card on a day, with success.
fn pay_by_card(plan: &mut PaymentPlan, on: &str) {
    let charge = plan.start_charge(day(on)).unwrap();
    assert!(plan.collect(&[charge.number], charge.amount, day(on)));
}

#[test]
fn the_purchase_pays_the_first_and_the_card_the_others_on_their_days() {
    let mut plan = plan();
    assert_eq!(plan.collected(), Pence(405));
    assert_eq!(plan.due(day("2026-12-22")), Pence::ZERO);
    assert_eq!(plan.next_day(), Some(day("2026-12-23")));
    assert_eq!(plan.start_charge(day("2026-12-22")), None);
    let charge = plan.start_charge(day("2026-12-23")).unwrap();
    let expected = Charge {
        number: 1,
        attempt: 1,
        amount: Pence(401),
    };
    assert_eq!(charge, expected);
    // Nothing follows before its outcome, on this day or later.
    assert_eq!(plan.next_day(), None);
    for another in ["2026-12-23", "2026-12-24", "2027-01-23"] {
        assert_eq!(plan.start_charge(day(another)), None);
    }
    assert!(plan.collect(&[1], Pence(401), day("2026-12-23")));
    assert!(!plan.collect(&[1], Pence(401), day("2026-12-23")), "twice");
    assert_eq!(plan.next_day(), Some(day("2027-01-23")));
    assert_eq!(PaymentPlan::new(Pence(59), &[day("2026-11-23"); 2]), None);
}

#[test]
fn a_charge_that_succeeds_a_day_late_is_the_only_one_of_that_day() {
    let mut plan = plan();
    let late = plan.start_charge(day("2027-03-01")).unwrap();
    assert!(plan.collect(&[late.number], late.amount, day("2027-03-02")));
    plan.record_charge_day(day("2027-03-02"));
    assert_eq!(plan.next_day(), Some(day("2027-03-03")));
    assert_eq!(plan.start_charge(day("2027-03-02")), None);
    assert!(plan.start_charge(day("2027-03-03")).is_some());
}

#[test]
fn missed_days_are_caught_up_one_a_day() {
    let mut plan = plan();
    pay_by_card(&mut plan, "2027-03-01");
    assert_eq!(plan.due(day("2027-03-01")), Pence(802));
    assert_eq!(plan.start_charge(day("2027-03-01")), None);
    assert_eq!(plan.next_day(), Some(day("2027-03-02")));
    pay_by_card(&mut plan, "2027-03-02");
    pay_by_card(&mut plan, "2027-03-03");
    assert_eq!(plan.next_day(), Some(day("2027-03-23")));
}

#[test]
fn paying_all_that_is_due_stops_a_notice_and_less_does_not() {
    let mut plan = plan();
    for (on, attempt) in [("2027-01-23", 1), ("2027-01-26", 2), ("2027-01-30", 3)] {
        assert_eq!(plan.next_day().map(|next| next <= day(on)), Some(true));
        let charge = plan.start_charge(day(on)).unwrap();
        assert_eq!((charge.number, charge.attempt), (1, attempt));
        let failed = plan.fail_charge(charge, true, day(on));
        assert!(matches!(failed, Transition::Applied(_)));
        let again = plan.fail_charge(charge, true, day(on));
        assert_eq!(again, Transition::AlreadyApplied);
        assert_eq!(plan.start_charge(day(on)), None);
    }
    let today = day("2027-01-30");
    assert_eq!(plan.next_day(), Some(today));
    let _ = plan.apply(PlanEvent::Notice { on: today });
    assert_eq!(plan.next_day(), None, "the letter waits");
    let _ = plan.apply(PlanEvent::LetterSent { on: today });
    assert_eq!(plan.start_charge(day("2027-01-31")), None);
    assert!(plan.collect(&[1], Pence(401), today));
    assert!(matches!(plan.status, PlanStatus::Notice(_)));
    assert!(plan.collect(&plan.unpaid(today), plan.due(today), today));
    assert_eq!(plan.status, PlanStatus::Active);
    assert_eq!(plan.next_day(), Some(day("2027-02-23")));
}

#[test]
fn a_charge_and_a_payment_at_once_are_collected_once() {
    let mut plan = plan();
    let today = day("2026-12-23");
    let charge = plan.start_charge(today).unwrap();
    assert!(plan.collect(&[1], Pence(401), today), "the customer's");
    assert!(!plan.collect(&[1], charge.amount, today), "the charge");
    // A refusal of the charge is no failure then.
    let failed = plan.fail_charge(charge, false, today);
    assert_eq!(failed, Transition::AlreadyApplied);
    let all = plan.unpaid(NaiveDate::MAX);
    let rest = plan.due(NaiveDate::MAX);
    assert_eq!((all.len(), rest), (10, Pence(4010)));
    assert!(!plan.collect(&all, rest - Pence(1), today), "less");
    assert!(plan.collect(&all, rest, today));
    assert_eq!(plan.next_day(), None);
}

#[test]
fn a_loss_makes_the_last_instalments_due_again_and_a_won_appeal_collects_them() {
    let mut plan = plan();
    let (payment, today) = (Uuid::from_u128(7), day("2026-12-23"));
    let all = plan.unpaid(NaiveDate::MAX);
    assert!(plan.collect(&all, Pence(4411), today));
    let mut lose = |lost, on| {
        let change = plan.record_loss(payment, &all, Pence(lost), day(on));
        let due = plan.due(NaiveDate::MAX);
        assert_eq!(due, plan.lost());
        (change.due_again.0, change.paid_twice.0, due.0)
    };
    assert_eq!(lose(400, "2026-12-24"), (0, 0, 0));
    assert_eq!(lose(1000, "2026-12-24"), (802, 0, 802));
    assert_eq!(lose(1000, "2026-12-24"), (0, 0, 802));
    assert_eq!(lose(500, "2026-12-24"), (-401, 0, 401));
    assert_eq!(plan.next_day(), Some(day("2027-10-23")));
    assert_eq!(plan.status, PlanStatus::Active, "nothing is due yet");
    // It is paid again, and then the appeal is won.
    assert!(plan.collect(&[11], Pence(401), day("2026-12-25")));
    let won = plan.record_loss(payment, &all, Pence::ZERO, day("2026-12-26"));
    assert_eq!((won.due_again, won.paid_twice), (Pence(-401), Pence(401)));
    assert_eq!(plan.due(NaiveDate::MAX), Pence::ZERO);
}

#[test]
fn nobody_charges_the_card_for_an_instalment_that_was_taken_back() {
    let mut plan = plan();
    let payment = Uuid::from_u128(7);
    let charge = plan.start_charge(day("2026-12-23")).unwrap();
    assert!(plan.collect(&[1], charge.amount, day("2026-12-23")));
    let lost = plan.record_loss(payment, &[1], Pence(401), day("2027-01-23"));
    assert_eq!(lost.due_again, Pence(401));
    assert_eq!(plan.start_charge(day("2027-01-23")), None);
    assert_eq!(plan.next_day(), Some(day("2027-01-30")));
    // The customer pays the other that is due. The lost one stays unpaid.
    assert!(plan.collect(&[2], Pence(401), day("2027-01-24")));
    assert_eq!(plan.next_day(), Some(day("2027-01-30")));
    let won = plan.record_loss(payment, &[1], Pence::ZERO, day("2027-01-25"));
    assert_eq!((won.due_again, won.paid_twice), (Pence(-401), Pence::ZERO));
    assert_eq!(plan.status, PlanStatus::Active);
    assert_eq!(plan.next_day(), Some(day("2027-02-23")));
}

#[test]
fn an_ended_plan_collects_nothing() {
    let mut plan = plan();
    let today = day("2027-03-01");
    let charge = plan.start_charge(today).unwrap();
    let _ = plan.apply(PlanEvent::PolicyEnded);
    assert!(!plan.collect(&[charge.number], charge.amount, today));
    let _ = plan.fail_charge(charge, true, today);
    assert_eq!(plan.status, PlanStatus::Ended);
    assert_eq!((plan.next_day(), plan.due(today)), (None, Pence::ZERO));
    assert_eq!(plan.start_charge(day("2027-03-02")), None);
    let change = plan.change_price(Pence(-100), today, today);
    assert_eq!(change, Err(ChangeError::Ended));
}

#[test]
fn a_decline_that_is_known_late_gives_the_usual_days() {
    let mut plan = plan();
    let charge = plan.start_charge(day("2026-12-23")).unwrap();
    let _ = plan.fail_charge(charge, true, day("2026-12-31"));
    assert_eq!(plan.next_day(), Some(day("2027-01-03")));
    let second = plan.start_charge(day("2027-01-03")).unwrap();
    // A late repeat of the first decline doesn't close the second charge.
    let late = plan.fail_charge(charge, true, day("2027-01-03"));
    assert_eq!((late, plan.next_day()), (Transition::AlreadyApplied, None));
    assert!(plan.collect(&[second.number], second.amount, day("2027-01-03")));
}

#[test]
fn a_merged_instalment_has_an_amount_again_after_an_increase() {
    let mut plan = plan();
    let today = day("2026-12-01");
    let before = amounts(&plan);
    for all in [4311, 4411] {
        let change = plan.change_price(Pence(-all), today, today);
        assert_eq!(change, Ok(Pence::ZERO));
        let change = plan.change_price(Pence(all), today, today);
        assert_eq!((change, amounts(&plan)), (Ok(Pence::ZERO), before.clone()));
    }
}

#[test]
fn an_increase_is_spread_over_what_is_left_from_its_day() {
    let mut plan = plan();
    let today = day("2026-12-01");
    let change = plan.change_price(Pence(1105), today, today);
    assert_eq!(change, Ok(Pence::ZERO));
    let spread = [vec![405, 506], vec![501; 10]].concat();
    assert_eq!(amounts(&plan), spread);
    let change = plan.change_price(Pence(200), day("2027-09-24"), today);
    assert_eq!(change, Ok(Pence::ZERO));
    assert_eq!(amounts(&plan)[10..], [501, 701]);
    // After the last one, it must be paid at once.
    let change = plan.change_price(Pence(200), day("2027-10-24"), today);
    assert_eq!(change, Err(ChangeError::NoneLeft));
    let due = plan.change_price(Pence(200), today, day("2026-12-23"));
    assert_eq!(due, Err(ChangeError::Due(Pence(506))));
}

#[test]
fn a_decrease_lowers_what_is_left_and_only_the_excess_is_refunded() {
    let today = day("2026-12-01");
    for (decrease, from, refund, left) in [
        (1100, "2026-12-01", 0, vec![301; 11]),
        // Only those from its day, while they suffice.
        (600, "2027-09-01", 0, [vec![401; 9], vec![101; 2]].concat()),
        (2205, "2027-09-01", 0, [vec![206], vec![200; 10]].concat()),
        // The last ones merge below 30 pence.
        (
            4311,
            "2026-12-01",
            0,
            vec![34, 33, 33, 0, 0, 0, 0, 0, 0, 0, 0],
        ),
        (4391, "2026-12-01", 10, [vec![30], vec![0; 10]].concat()),
        (4411, "2026-12-01", 0, vec![0; 11]),
        (4500, "2026-12-01", 89, vec![0; 11]),
    ] {
        let mut plan = plan();
        let change = plan.change_price(Pence(-decrease), day(from), today);
        assert_eq!(change, Ok(Pence(refund)), "{decrease}");
        assert_eq!(amounts(&plan)[1..], left, "{decrease}");
        let total: i64 = amounts(&plan).iter().sum();
        assert_eq!(total - refund, 4816 - decrease);
    }
}
