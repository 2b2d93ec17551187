use super::*;

fn moved(entry: &Entry) -> Vec<(Account, i64)> {
    let postings = entry.postings().iter();
    let moved: Vec<_> = postings
        .map(|one| (one.account.clone(), one.amount.0))
        .collect();
    assert_eq!(moved.iter().map(|(_, amount)| amount).sum::<i64>(), 0);
    moved
}

#[test]
fn each_movement_has_its_accounts() {
    use Account::{Customer, Fees, Premium, Refunds, Tax};
    let (time, cause) = (DateTime::UNIX_EPOCH, Uuid::from_u128(1));
    let (gross, tax) = (Pence(1120), Pence(120));
    assert_eq!(
        moved(&Entry::payment(time, "stripe", cause, gross)),
        [(stripe(), 1120), (Customer, -1120)]
    );
    assert_eq!(
        moved(&Entry::increase(time, cause, gross, tax)),
        [(Customer, 1120), (Tax, -120), (Premium, -1000)]
    );
    assert_eq!(
        moved(&Entry::hold_payment(time, cause, gross)),
        [(Customer, 1120), (Refunds, -1120)]
    );
    assert_eq!(
        moved(&Entry::earn_held(time, cause, gross, tax)),
        [(Refunds, 1120), (Tax, -120), (Premium, -1000)]
    );
    assert_eq!(
        moved(&Entry::decrease(time, cause, gross, tax)),
        [(Refunds, -1120), (Tax, 120), (Premium, 1000)]
    );
    assert_eq!(
        moved(&Entry::unapplied(time, cause, gross)),
        [(Customer, 1120), (Refunds, -1120)]
    );
    assert_eq!(
        moved(&Entry::refund(time, "stripe", cause, gross)),
        [(Refunds, 1120), (stripe(), -1120)]
    );
    let all_back = Entry::cancellation(time, cause, gross, tax, Pence::ZERO, Pence(500));
    assert_eq!(
        moved(&all_back),
        [(Premium, 1000), (Tax, 120), (Fees, 500), (Refunds, -1620)]
    );
    let less_a_fee = Entry::cancellation(time, cause, gross, tax, Pence(200), Pence::ZERO);
    assert_eq!(
        moved(&less_a_fee),
        [(Premium, 1000), (Tax, 120), (Fees, -200), (Refunds, -920)]
    );
    assert_eq!(less_a_fee.amount_on(&Refunds), Pence(-920));
}

fn stripe() -> Account {
    Account::gateway("stripe")
}

#[test]
fn what_comes_after_a_payment_has_its_accounts() {
    use Account::{Bank, Disputes, ProviderFees, Refunds, WrittenOff};
    let (time, cause) = (DateTime::UNIX_EPOCH, Uuid::from_u128(1));
    let (gross, fee) = (Pence(1120), Pence(37));
    let failed = Entry::refund_failed(time, "stripe", cause, gross);
    assert_eq!(moved(&failed), [(stripe(), 1120), (Refunds, -1120)]);
    let disputed = Entry::disputed(time, "stripe", cause, gross);
    assert_eq!(disputed.movement, Movement::Disputed);
    assert_eq!(moved(&disputed), [(Disputes, 1120), (stripe(), -1120)]);
    let returned = Entry::disputed(time, "stripe", cause, -gross);
    assert_eq!(returned.movement, Movement::DisputeReturned);
    assert_eq!(moved(&returned), [(Disputes, -1120), (stripe(), 1120)]);
    let lost = Entry::write_off(time, cause, gross);
    assert_eq!(moved(&lost), [(WrittenOff, 1120), (Disputes, -1120)]);
    let paid_out = Entry::settle(time, "stripe", cause, gross, fee);
    assert_eq!(
        moved(&paid_out),
        [(Bank, 1083), (ProviderFees, 37), (stripe(), -1120)]
    );
    let kept_back = Entry::settle(time, "stripe", cause, -gross, Pence::ZERO);
    assert_eq!(moved(&kept_back), [(Bank, -1120), (stripe(), 1120)]);
    let charged = Entry::provider_fee(time, cause, fee);
    assert_eq!(moved(&charged), [(ProviderFees, 37), (Bank, -37)]);
}

#[test]
fn what_people_refund_by_hand_has_its_accounts() {
    use Account::{Bank, Refunds, WrittenOff};
    let (time, cause, gross) = (DateTime::UNIX_EPOCH, Uuid::from_u128(1), Pence(1120));
    let by_hand = Entry::refund_by_hand(time, "stripe", cause, gross);
    assert_eq!(by_hand.movement, Movement::RefundByHand);
    assert_eq!(moved(&by_hand), [(WrittenOff, 1120), (stripe(), -1120)]);
    let came_back = Entry::refund_by_hand(time, "stripe", cause, -gross);
    assert_eq!(came_back.movement, Movement::RefundFailed);
    assert_eq!(moved(&came_back), [(WrittenOff, -1120), (stripe(), 1120)]);
    let accepted = Entry::accept_unmatched(time, cause, -gross, Pence(20));
    assert_eq!(
        moved(&accepted),
        [
            (Bank, -1140),
            (Account::ProviderFees, 20),
            (WrittenOff, 1120)
        ]
    );
    let transfer = Entry::paid_by_transfer(time, cause, gross);
    assert_eq!(moved(&transfer), [(Refunds, 1120), (Bank, -1120)]);
    let already_refunded = Entry::had_already(time, cause, gross);
    assert_eq!(
        moved(&already_refunded),
        [(Refunds, 1120), (WrittenOff, -1120)]
    );
}

#[test]
fn a_fee_takes_no_more_than_comes_back() {
    let entry = Entry::cancellation(
        DateTime::UNIX_EPOCH,
        Uuid::nil(),
        Pence(112),
        Pence(12),
        Pence(2500),
        Pence::ZERO,
    );
    assert_eq!(entry.amount_on(&Account::Refunds), Pence::ZERO);
    assert_eq!(entry.amount_on(&Account::Fees), Pence(-112));
}
