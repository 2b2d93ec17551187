//! The calculation of the return premium of a cancelled policy.

use chrono::NaiveDate;

use crate::domain::money::Pence;
use crate::domain::money::ledger::plan::PlanRest;
use crate::domain::money::premium_tax::PremiumTax;
use crate::domain::money::price::Line;
use crate::domain::policy::Policy;
use crate::domain::policy::cancellation::ReturnPremium;
use crate::domain::policy::plan::PlanEnd;
use crate::domain::time::dates;

/// The shortest term of single trips with a cooling-off period, in days. Cover for less than a
/// month needs no cooling-off period (ICOBS 7.1.3).
const SHORT_TERM_DAYS: i64 = 28;

/// The code of the line that refunds everything, or nothing.
const ALL: &str = "all";

/// The inputs of the return premium.
#[derive(Clone, Debug)]
pub struct CancellationFacts<'a> {
    pub policy: &'a Policy,
    /// Whether the policy covers single trips.
    pub single_trip: bool,
    /// The first day without cover, in London.
    pub on: NaiveDate,
    /// Whether the cover ends during the day `on`, and not at its start.
    pub is_immediate: bool,
    /// The length of the cooling-off period, in days.
    pub cooling_off_days: i64,
    /// The cancellation fee after the cooling-off period, in pence.
    pub fee: Pence,
    /// The prices of a whole term, in pence, oldest first. Each price applies from its day until
    /// the day of the next price.
    pub premiums: &'a [(NaiveDate, Pence)],
    /// Charges beside the premium, in pence. Only a full refund returns them.
    pub charges: Pence,
    /// The payments less all refunds, also pending and refused refunds, and less what banks took
    /// permanently, in pence.
    pub in_hand: Pence,
    /// What banks took permanently and gave to the customer, less the part that counts as refunds, in
    /// pence.
    pub lost: Pence,
    /// The payments of the policy's plan that stop, in pence.
    pub uncollected: Option<Pence>,
    /// The rate of insurance premium tax.
    pub tax: PremiumTax,
    /// The charged tax that is not returned before the cancellation, in pence. A full refund
    /// returns all of it.
    pub tax_in_hand: Pence,
}

/// Returns the return premium of a cancellation. Before the term begins, and in the cooling-off
/// period, everything is refunded. The cooling-off period counts from the first day of the term, or
/// from a later day of purchase (ICOBS 7.1). After that period, the premium for the days left is
/// refunded, less the fee. Single trips of less than [`SHORT_TERM_DAYS`] have no cooling-off
/// period: after the term begins, nothing is refunded.
#[must_use]
pub fn refundable(facts: &CancellationFacts<'_>) -> ReturnPremium {
    let policy = facts.policy;
    let short = is_short(policy, facts.single_trip);
    let has_begun =
        policy.inception < facts.on || (facts.is_immediate && policy.inception == facts.on);
    let end = cooling_off_end(policy, facts.single_trip, facts.cooling_off_days);
    if !has_begun || end.is_some_and(|end| facts.on <= end) {
        let days = facts.cooling_off_days;
        let label = match (has_begun, facts.is_immediate) {
            (true, true) => format!("Everything you paid: you are within {days} days"),
            (true, false) => format!("Everything you paid: your cover ends within {days} days"),
            (false, true) => "Everything you paid: your cover hasn't begun".to_string(),
            (false, false) => "Everything you paid: your cover ends before it begins".to_string(),
        };
        let uncollected = facts.uncollected.unwrap_or_default();
        let charges = facts.charges.min(facts.in_hand + uncollected);
        return ReturnPremium {
            premium: facts.in_hand + uncollected - charges,
            charges,
            tax: facts.tax_in_hand,
            plan: facts.uncollected.map(|uncollected| PlanRest {
                uncollected,
                written_off: Pence::ZERO,
                tax: Pence::ZERO,
            }),
            ..all(facts.in_hand, facts.lost, label)
        };
    }
    if short {
        let label = "Nothing comes back once a trip of less than a month has begun";
        return all(Pence::ZERO, Pence::ZERO, label.to_string());
    }
    match facts.uncollected {
        Some(uncollected) => pro_rata_of_plan(facts, uncollected),
        None => pro_rata(facts),
    }
}

/// Returns the last day on which a cancellation refunds everything. Returns `None` for a short trip.
#[must_use]
pub fn cooling_off_end(policy: &Policy, single_trip: bool, days: i64) -> Option<NaiveDate> {
    let from = policy.inception.max(dates::london_date(policy.purchased));
    (!is_short(policy, single_trip)).then(|| dates::add_days(from, days))
}

fn is_short(policy: &Policy, single_trip: bool) -> bool {
    single_trip && policy.days_in_term() < SHORT_TERM_DAYS
}

/// Returns whether everything is refunded, or nothing for short trips that have begun.
#[must_use]
pub fn is_all(back: &ReturnPremium) -> bool {
    back.lines.iter().any(|line| line.code == ALL)
}

fn all(amount: Pence, lost: Pence, label: String) -> ReturnPremium {
    let first = line(ALL, label, amount + lost);
    ReturnPremium {
        amount,
        premium: amount,
        charges: Pence::ZERO,
        tax: Pence::ZERO,
        fee: Pence::ZERO,
        plan: None,
        lines: std::iter::once(first).chain(loss(lost)).collect(),
    }
}

fn pro_rata(facts: &CancellationFacts<'_>) -> ReturnPremium {
    let unearned = unearned(facts.policy, facts.premiums, facts.on).max(Pence::ZERO);
    let premium = unearned.min(facts.in_hand).max(Pence::ZERO);
    let lost = facts.lost.min(unearned - premium);
    let fee = facts.fee.min(premium);
    let (left, whole) = (
        facts.policy.days_left(facts.on),
        facts.policy.days_in_term(),
    );
    let mut lines = vec![line(
        "premium",
        format!("Premium for the {left} of {whole} days that are left"),
        premium + lost,
    )];
    lines.extend(loss(lost));
    if fee > Pence::ZERO {
        lines.push(line("fee", "Cancellation fee".to_string(), -fee));
    }
    ReturnPremium {
        amount: premium - fee,
        tax: facts.tax.included_in(premium),
        premium,
        charges: Pence::ZERO,
        fee,
        plan: None,
        lines,
    }
}

/// Returns the return premium of a policy that is paid monthly: what is paid and not earned, less the fee.
/// The premium for the days left is no longer owed.
fn pro_rata_of_plan(facts: &CancellationFacts<'_>, uncollected: Pence) -> ReturnPremium {
    let paid = facts.in_hand;
    let unearned = unearned(facts.policy, facts.premiums, facts.on).max(Pence::ZERO);
    let earned = (paid + uncollected - unearned).max(Pence::ZERO);
    let PlanEnd {
        refund,
        fee,
        written_off,
    } = PlanEnd::after_cooling_off(paid, earned, facts.fee);
    let whole = facts.policy.days_in_term();
    let covered = whole - facts.policy.days_left(facts.on);
    let cap = if earned > paid {
        ", at most what you paid"
    } else {
        ""
    };
    let mut lines = vec![
        line("paid", "What you paid".to_string(), paid),
        line(
            "earned",
            format!("Less the price of {covered} of {whole} days{cap}"),
            -earned.min(paid),
        ),
    ];
    if fee > Pence::ZERO {
        lines.push(line("fee", "Cancellation fee".to_string(), -fee));
    }
    let premium = paid + uncollected - earned;
    ReturnPremium {
        amount: refund,
        tax: facts.tax.included_in(premium),
        premium,
        charges: Pence::ZERO,
        fee,
        plan: Some(PlanRest {
            uncollected,
            written_off,
            tax: facts.tax.included_in(written_off),
        }),
        lines,
    }
}

/// Returns the premium for the days from `on` to the end of the term, in pence. Each price of a
/// whole term counts from its own day until the day of the next price.
#[must_use]
pub fn unearned(policy: &Policy, premiums: &[(NaiveDate, Pence)], on: NaiveDate) -> Pence {
    let mut pence_days = 0;
    for (index, (from, premium)) in premiums.iter().enumerate() {
        let until = premiums
            .get(index + 1)
            .map_or(0, |(next, _)| policy.days_left((*next).max(on)));
        pence_days += premium.0 * (policy.days_left((*from).max(on)) - until);
    }
    Pence(pence_days).fraction(1, policy.days_in_term())
}

/// Returns the line with what banks gave the customer, or `None` if they gave nothing.
fn loss(lost: Pence) -> Option<Line> {
    let label = "Given back by your bank already".to_string();
    (lost > Pence::ZERO).then(|| line("lost", label, -lost))
}

fn line(code: &str, label: String, amount: Pence) -> Line {
    Line {
        code: code.to_string(),
        label,
        amount,
        note: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::policy::tests::policy;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn back(policy: &Policy, single_trip: bool, on: &str, in_hand: i64) -> ReturnPremium {
        refundable(&CancellationFacts {
            policy,
            single_trip,
            on: day(on),
            is_immediate: true,
            cooling_off_days: 14,
            fee: Pence(1500),
            premiums: &[(policy.inception, Pence(7300))],
            charges: Pence::ZERO,
            in_hand: Pence(in_hand),
            lost: Pence::ZERO,
            uncollected: None,
            tax: PremiumTax::from_basis_points(1200),
            tax_in_hand: Pence(in_hand).fraction(12, 112),
        })
    }

    #[test]
    fn all_comes_back_for_a_fortnight_from_the_start() {
        let policy = policy("2026-12-10", "2027-12-09");
        for on in ["2026-11-21", "2026-12-09", "2026-12-10", "2026-12-24"] {
            assert_eq!(back(&policy, false, on, 7300).amount, Pence(7300), "{on}");
        }
        let after_withdrawal = back(&policy, false, "2026-12-25", 7300);
        assert_eq!(after_withdrawal.premium, Pence(7000));
        assert_eq!(after_withdrawal.amount, Pence(5500));
        assert_eq!(
            after_withdrawal
                .lines
                .iter()
                .map(|line| line.amount)
                .sum::<Pence>(),
            after_withdrawal.amount
        );
    }

    #[test]
    fn never_more_comes_back_than_is_in_hand_nor_less_than_nothing() {
        let policy = policy("2026-12-10", "2027-12-09");
        assert_eq!(back(&policy, false, "2027-01-10", 2000).amount, Pence(500));
        assert_eq!(back(&policy, false, "2027-12-09", 7300).amount, Pence(0));
        assert_eq!(back(&policy, false, "2026-12-01", 0).amount, Pence(0));
    }

    #[test]
    fn a_short_trip_gives_all_back_before_it_begins_and_nothing_after() {
        let trip = policy("2026-12-10", "2026-12-20");
        assert_eq!(back(&trip, true, "2026-12-09", 7300).amount, Pence(7300));
        assert_eq!(back(&trip, true, "2026-12-10", 7300).amount, Pence(0));
    }

    #[test]
    fn cover_that_ends_as_its_first_day_begins_was_never_given() {
        let trip = policy("2026-12-10", "2026-12-20");
        let premiums = [(trip.inception, Pence(7300))];
        let facts = |on, is_immediate| CancellationFacts {
            policy: &trip,
            single_trip: true,
            on: day(on),
            is_immediate,
            cooling_off_days: 14,
            fee: Pence(1500),
            premiums: &premiums,
            charges: Pence::ZERO,
            in_hand: Pence(7300),
            lost: Pence::ZERO,
            uncollected: None,
            tax: PremiumTax::from_basis_points(1200),
            tax_in_hand: Pence(782),
        };
        assert_eq!(refundable(&facts("2026-12-10", false)).amount, Pence(7300));
        assert_eq!(refundable(&facts("2026-12-10", true)).amount, Pence(0));
        assert_eq!(refundable(&facts("2026-12-11", false)).amount, Pence(0));
    }

    #[test]
    fn each_premium_counts_for_its_own_days() {
        let policy = policy("2026-11-22", "2027-11-21");
        let premiums = [
            (day("2026-11-22"), Pence(36_500)),
            (day("2027-11-12"), Pence(73_000)),
        ];
        // From 2 November, ten days at the lower price and ten days at the higher price are left.
        assert_eq!(unearned(&policy, &premiums, day("2027-11-02")), Pence(3000));
        assert_eq!(unearned(&policy, &premiums, day("2027-11-17")), Pence(1000));
    }
}
