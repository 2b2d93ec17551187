use super::*;
use DisputeEvent as E;
use DisputeStatus as S;
use Transition::{AlreadyApplied, Applied, Refused};

#[test]
fn every_status_answers_every_event() {
    let table = [
        (S::Inquiry, "=oWLP="),
        (S::Open, "==WLP="),
        (S::Won, "===-=="),
        (S::Lost, "==W==="),
        (S::Prevented, "==WL=="),
    ];
    for (status, expected) in table {
        let row: String = E::ALL
            .iter()
            .map(|event| match apply(status, *event) {
                Applied(S::Inquiry) => 'i',
                Applied(S::Open) => 'o',
                Applied(S::Won) => 'W',
                Applied(S::Lost) => 'L',
                Applied(S::Prevented) => 'P',
                AlreadyApplied => '=',
                Refused(_) => '-',
            })
            .collect();
        assert_eq!(row, expected, "{status:?}");
    }
    assert_eq!(table.len(), S::ALL.len());
}

fn news(event: DisputeEvent, moves: &[(&str, i64)]) -> DisputeNews {
    let moves = moves.iter().map(|(name, amount)| DisputeMove {
        reference: (*name).to_string(),
        amount: Pence(*amount),
    });
    DisputeNews {
        provider: "stripe".to_string(),
        reference: "dp_1".to_string(),
        payment: Uuid::from_u128(1),
        amount: Pence(5000),
        reason: None,
        reply_by: None,
        event,
        moves: moves.collect(),
        is_from_report: false,
    }
}

/// Returns the dispute, and the sums that each report moves and writes off, in pence.
fn apply_all(all: &[DisputeNews]) -> (Dispute, Vec<(i64, i64)>) {
    let mut dispute = Dispute::begin(&all[0], Uuid::nil(), DateTime::UNIX_EPOCH);
    let changes = all.iter().map(|news| {
        let change = dispute.apply_event(news);
        let moved: Pence = change.moved.iter().copied().sum();
        (moved.0, change.written_off.0)
    });
    let changes = changes.collect();
    (dispute, changes)
}

#[test]
fn an_inquiry_moves_no_money() {
    let (dispute, changes) = apply_all(&[news(E::Inquired, &[]), news(E::Won, &[])]);
    assert_eq!(changes, [(0, 0), (0, 0)]);
    assert_eq!(
        (dispute.status, dispute.amount_taken()),
        (S::Won, Pence::ZERO)
    );
}

#[test]
fn an_unknown_word_opens_a_new_dispute_and_changes_no_other() {
    let (dispute, _) = apply_all(&[news(E::Unknown, &[])]);
    assert_eq!(dispute.status, S::Open);
    let (dispute, _) = apply_all(&[news(E::Inquired, &[]), news(E::Unknown, &[])]);
    assert_eq!(dispute.status, S::Inquiry);
}

#[test]
fn money_is_taken_and_given_back_once_whatever_is_told_again() {
    let taken = ("txn_1", 4990);
    let back = ("txn_2", -4990);
    let (dispute, changes) = apply_all(&[
        news(E::Opened, &[]),
        news(E::Opened, &[taken]),
        news(E::Opened, &[taken]),
        news(E::Won, &[taken, back]),
        news(E::Opened, &[taken]),
        news(E::Won, &[back]),
    ]);
    let expected = [(0, 0), (4990, 0), (0, 0), (-4990, 0), (0, 0), (0, 0)];
    assert_eq!(changes, expected);
    assert_eq!(
        (dispute.status, dispute.amount_taken()),
        (S::Won, Pence::ZERO)
    );
}

#[test]
fn a_lost_dispute_is_written_off_in_whatever_order_that_is_told() {
    let taken = ("txn_1", 5000);
    let (dispute, changes) = apply_all(&[news(E::Lost, &[]), news(E::Opened, &[taken])]);
    assert_eq!(changes, [(0, 0), (5000, 5000)]);
    assert_eq!(dispute.undecided_balance(), Pence::ZERO);
    let (dispute, changes) = apply_all(&[news(E::Opened, &[taken]), news(E::Lost, &[])]);
    assert_eq!(changes, [(5000, 0), (0, 5000)]);
    assert_eq!(dispute.written_off, Pence(5000));
}

#[test]
fn a_dispute_that_was_prevented_loses_what_was_taken_for_it() {
    let (dispute, changes) = apply_all(&[news(E::Inquired, &[]), news(E::Prevented, &[])]);
    assert_eq!(changes, [(0, 0), (0, 0)]);
    assert!(!dispute.is_lost() && !dispute.is_decided());
    let taken = ("txn_1", 5000);
    let (dispute, changes) = apply_all(&[news(E::Prevented, &[]), news(E::Prevented, &[taken])]);
    assert_eq!(changes, [(0, 0), (5000, 5000)]);
    assert!(dispute.is_lost() && dispute.is_decided());
}

#[test]
fn an_appeal_that_is_won_undoes_the_loss() {
    let (taken, back) = (("txn_1", 5000), ("txn_2", -5000));
    let (dispute, changes) = apply_all(&[
        news(E::Lost, &[taken]),
        news(E::Won, &[]),
        news(E::Won, &[back]),
    ]);
    assert_eq!(changes, [(5000, 5000), (0, -5000), (-5000, 0)]);
    assert_eq!(dispute.undecided_balance(), Pence::ZERO);
}
