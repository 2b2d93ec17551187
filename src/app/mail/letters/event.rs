//! What happened to a policy that a letter tells.

use chrono::{DateTime, NaiveDate, Utc};

use crate::documents::data::HelpLine;
use crate::domain::money::Pence;
use crate::domain::refund::RefundPart;

/// What happened to a policy, with its figures in pence.
#[derive(Clone, Debug)]
pub enum PolicyEvent {
    /// It was bought.
    Bought {
        /// Who to call in a breakdown or loss.
        help: HelpLine,
        /// Moment from which what happens is covered.
        begins: DateTime<Utc>,
        /// The policy that it renews, while that covers, with its last day.
        follows: Option<(String, NaiveDate)>,
        /// Its last day.
        expiry: NaiveDate,
        /// What was paid.
        paid: Pence,
        /// Whether there can be a next year: not after a single trip.
        renewable: bool,
        /// When its card is charged for the next year, where it renews by itself.
        charge_on: Option<NaiveDate>,
    },
    /// A change of it.
    Change(ChangeEvent),
    /// Its early end.
    End(EndEvent),
    /// Its renewal is quoted.
    RenewalQuoted {
        /// First day of the renewed cover.
        starts: NaiveDate,
        /// What it costs now.
        last_year: Pence,
        /// What it will cost; none while answers are missing.
        price: Option<Pence>,
        /// What a new customer would pay today; none where that can't be said.
        new_customer: Option<Pence>,
        /// When its card is charged, where it renews by itself.
        charge_on: Option<NaiveDate>,
        /// First day of an agreed change that both prices count in.
        change_from: Option<NaiveDate>,
        /// The page of the renewal quote.
        quote: String,
    },
    /// It can't be renewed as it is.
    NotRenewable {
        /// Its last day.
        expiry: NaiveDate,
        /// Why, in underwriting's words.
        reason: String,
    },
    /// Its card was refused, and it isn't renewed yet.
    CardRefused {
        /// Its last day.
        expiry: NaiveDate,
        /// What the renewal costs; none while answers are missing.
        price: Option<Pence>,
        /// The page of the renewal quote; none where it can't be renewed any more.
        quote: Option<String>,
    },
    /// Its card was charged, or not, for its renewal: nobody has said for days.
    CardUnclear {
        /// Its last day.
        expiry: NaiveDate,
        /// Whether that is over.
        over: bool,
    },
    /// Its last day is over, and it was not renewed.
    Ended {
        /// Its last day.
        expiry: NaiveDate,
        /// The last day on which it can still be renewed, and the page of that renewal.
        renewable: Option<(NaiveDate, String)>,
        /// Whether its card was charged for the next year, and nobody has said yet whether it paid.
        charging: bool,
        /// Where new cover is bought, if the policy was to renew by itself and no card was charged.
        uncharged: Option<String>,
    },
}

/// The policy before or after the one that a letter is about.
#[derive(Clone, Debug)]
pub struct Neighbour {
    /// Its number.
    pub reference: String,
    /// Of the policy before, its last day as things stand; of that after, its first.
    pub day: NaiveDate,
}

/// An agreed change that never comes, because the policy ends before it.
#[derive(Clone, Debug)]
pub struct Dropped {
    /// What would have been its first day.
    pub from: NaiveDate,
    /// What comes back for it.
    pub back: Vec<RefundPart>,
}

/// The money of a change.
#[derive(Clone, Debug)]
pub enum ChangeMoney {
    /// It costs nothing, and nothing comes back.
    Free,
    /// The customer paid for it.
    Paid {
        /// Pence.
        amount: Pence,
        /// What of it their bank has given back to them for a dispute, pence.
        lost: Pence,
    },
    /// It comes back.
    Returned(Vec<RefundPart>),
}

/// What happened to a change of a policy.
#[derive(Clone, Debug)]
pub enum ChangeEvent {
    /// A change is in force.
    Made {
        /// Its first day.
        from: NaiveDate,
        /// What changed, a line each.
        what: Vec<String>,
        /// What was paid for it, or comes back.
        money: ChangeMoney,
        /// When it was asked for, where that was before its day.
        asked: Option<NaiveDate>,
    },
    /// A change is agreed for a later day.
    Agreed {
        /// Its first day.
        from: NaiveDate,
        /// What changes, a line each.
        what: Vec<String>,
        /// What was paid for it, or comes back.
        money: ChangeMoney,
    },
    /// An agreed change was withdrawn before its day.
    Withdrawn {
        /// What would have been its first day.
        from: NaiveDate,
        /// What would have changed, a line each.
        what: Vec<String>,
        /// What comes back.
        refund: Vec<RefundPart>,
    },
}

/// What happened to the early end of a policy.
#[derive(Clone, Debug)]
pub enum EndEvent {
    /// It was ended early.
    Cancelled {
        /// First day without cover.
        from: NaiveDate,
        /// Last day that was covered to its end; none where there is none.
        last_day: Option<NaiveDate>,
        /// Whether it ended in the course of the first day, and not as it began.
        at_once: bool,
        /// Whether it ended before its cover began.
        never_covered: bool,
        /// What comes back.
        refund: Vec<RefundPart>,
        /// The change that never comes because of it.
        dropped: Option<Dropped>,
        /// The next year, where it is bought.
        next: Option<Neighbour>,
    },
    /// It is to end early, on a later day.
    Agreed {
        /// First day without cover.
        from: NaiveDate,
        /// Last day that is covered to its end; none where the cover never begins.
        last_day: Option<NaiveDate>,
        /// What comes back then.
        refund: Vec<RefundPart>,
        /// The change that never comes because of it.
        dropped: Option<Dropped>,
        /// The next year, where it is bought.
        next: Option<Neighbour>,
    },
    /// It is not to end early after all.
    Withdrawn {
        /// What would have been the first day without cover.
        from: NaiveDate,
        /// Its last day.
        expiry: NaiveDate,
        /// The change that never comes all the same.
        dropped: Option<Dropped>,
    },
    /// It was not taken up.
    NotTakenUp {
        /// What comes back.
        refund: Vec<RefundPart>,
        /// The change that never comes because of it.
        dropped: Option<Dropped>,
        /// The policy that it was to renew, while that is live.
        earlier: Option<Neighbour>,
    },
}
