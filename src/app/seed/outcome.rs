//! The outcomes of seeded quotes, and their age.

use crate::domain::quote::QuoteStatus;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum SeedOutcome {
    Priced,
    Draft,
    Partial,
    Referred,
    Declined,
    NotTakenUp,
    Lapsed,
    Live,
    RenewalDue,
    Expired,
    Cancelled,
    Renewed,
    /// The draft of a change to a policy.
    Change,
    /// A live policy that is paid monthly.
    MonthlyActive,
    /// A monthly payment failed, and the card is to be tried again.
    MonthlyFailed,
    /// The customer has a notice: cover ends unless what is due is paid.
    MonthlyNotice,
    /// The customer also has the reminder: cover ends in two days.
    MonthlyReminder,
    /// The card is not charged any more, because the customer objects.
    MonthlyStopped,
    /// All monthly payments are made.
    MonthlyPaid,
    /// All monthly payments are made, and the term is over.
    MonthlyExpired,
    /// We cancelled the policy, because its monthly payments were not made.
    MonthlyUnpaid,
    /// The customer cancelled a policy that was paid monthly.
    MonthlyCancelled,
}

/// The outcomes, in the order in which each customer gets them. More than half are policies.
pub(in crate::app) const SEED_OUTCOMES: [SeedOutcome; 29] = [
    SeedOutcome::Live,
    SeedOutcome::MonthlyActive,
    SeedOutcome::Priced,
    SeedOutcome::Live,
    SeedOutcome::Expired,
    SeedOutcome::Draft,
    SeedOutcome::Live,
    SeedOutcome::Live,
    SeedOutcome::MonthlyNotice,
    SeedOutcome::Lapsed,
    SeedOutcome::RenewalDue,
    SeedOutcome::Live,
    SeedOutcome::Declined,
    SeedOutcome::MonthlyPaid,
    SeedOutcome::Cancelled,
    SeedOutcome::Live,
    SeedOutcome::MonthlyReminder,
    SeedOutcome::Priced,
    SeedOutcome::NotTakenUp,
    SeedOutcome::MonthlyFailed,
    SeedOutcome::Renewed,
    SeedOutcome::MonthlyStopped,
    SeedOutcome::Live,
    SeedOutcome::MonthlyCancelled,
    SeedOutcome::MonthlyExpired,
    SeedOutcome::Partial,
    SeedOutcome::MonthlyUnpaid,
    SeedOutcome::Referred,
    SeedOutcome::Change,
];

impl SeedOutcome {
    pub(in crate::app) const fn is_monthly(self) -> bool {
        matches!(
            self,
            Self::MonthlyActive
                | Self::MonthlyFailed
                | Self::MonthlyNotice
                | Self::MonthlyReminder
                | Self::MonthlyStopped
                | Self::MonthlyPaid
                | Self::MonthlyExpired
                | Self::MonthlyUnpaid
                | Self::MonthlyCancelled
        )
    }

    /// Returns the range of the quote's age, in days.
    pub(in crate::app) const fn days_ago(self) -> (i64, i64) {
        match self {
            Self::Priced
            | Self::Draft
            | Self::Partial
            | Self::Referred
            | Self::Declined
            | Self::Change => (0, 9),
            Self::NotTakenUp => (10, 200),
            Self::Lapsed => (65, 300),
            Self::Live
            | Self::MonthlyActive
            | Self::MonthlyFailed
            | Self::MonthlyNotice
            | Self::MonthlyReminder
            | Self::MonthlyStopped
            | Self::MonthlyPaid
            | Self::MonthlyUnpaid
            | Self::MonthlyCancelled => (62, 300),
            // With a start on the next day, these policies end within four weeks.
            Self::RenewalDue => (338, 363),
            Self::Cancelled => (62, 330),
            Self::Expired | Self::MonthlyExpired | Self::Renewed => (440, 700),
        }
    }

    pub(in crate::app) const fn status(self) -> Option<QuoteStatus> {
        match self {
            Self::Priced | Self::Draft | Self::Declined => None,
            Self::Partial => Some(QuoteStatus::Partial),
            Self::Referred => Some(QuoteStatus::Refer),
            Self::NotTakenUp => Some(QuoteStatus::NotTakenUp),
            Self::Lapsed => Some(QuoteStatus::Lapsed),
            Self::Live | Self::RenewalDue => Some(QuoteStatus::Live),
            // The real functions then cancel the last two.
            Self::MonthlyActive
            | Self::MonthlyFailed
            | Self::MonthlyNotice
            | Self::MonthlyReminder
            | Self::MonthlyStopped
            | Self::MonthlyPaid
            | Self::MonthlyUnpaid
            | Self::MonthlyCancelled => Some(QuoteStatus::Live),
            Self::Expired | Self::MonthlyExpired => Some(QuoteStatus::Expired),
            Self::Cancelled => Some(QuoteStatus::Cancelled),
            Self::Renewed => Some(QuoteStatus::Renewed),
            Self::Change => Some(QuoteStatus::AdjustmentDraft),
        }
    }
}
