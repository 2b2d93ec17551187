//! Jobs, which outlive the process until they are done or set aside.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::policy_news::PolicyNotification;
use crate::domain::payment::sandbox::SandboxEvent;

/// A job that was set aside: the shop tries it again only if an operator asks for it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SetAside {
    pub work: SetAsideWork,
    /// Number of completed tries.
    pub tries: u32,
    /// The last try's error, as in [`JobFailure::reason`], or why the row can't be read.
    pub reason: String,
}

/// What was set aside.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum SetAsideWork {
    Job {
        task: Task,
        /// The quote, for a letter about a quote.
        quote: Option<Uuid>,
    },
    /// The row of a job that can't be read.
    Row {
        /// The queue's name.
        queue: String,
        /// The stored key, without the table's number.
        key: Vec<u8>,
        /// The stored value.
        value: Vec<u8>,
    },
}

/// A job, which outlives the process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    pub task: Task,
    /// Number of completed tries.
    pub tries: u32,
    /// The failures since the last try that did not fail.
    pub failure: Option<JobFailure>,
    /// Lease of the node that runs the job, if several nodes share the store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
}

impl Job {
    /// Returns a job that was never tried.
    #[must_use]
    pub const fn new(task: Task) -> Self {
        Self {
            task,
            tries: 0,
            failure: None,
            lease: None,
        }
    }
}

/// Failed tries in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobFailure {
    pub tries: u32,
    /// How many of the tries panicked.
    pub panics: u32,
    /// The last error: the mail server's answer, as in [`super::RefusedAddress::reason`], or another error as
    /// in the log.
    pub reason: String,
}

/// A lease of one node on a job or task. The node extends the lease while it lives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// The node; see [`crate::store::Store::node`].
    pub owner: String,
    /// When other nodes may take the lease.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub until: DateTime<Utc>,
}

impl Lease {
    /// Length of a lease without extension.
    pub const LENGTH: TimeDelta = TimeDelta::seconds(20);
    /// Largest difference between two nodes' clocks. Each clock may differ by two seconds from the
    /// database's clock.
    const CLOCKS: TimeDelta = TimeDelta::seconds(4);

    /// Returns whether another node than `node` has the lease. Ignores a lease that ends later than
    /// `now` plus [`Self::LENGTH`] and the clocks' difference, because a wrong clock wrote it.
    #[must_use]
    pub fn is_held_by_other(&self, node: Option<&str>, now: DateTime<Utc>) -> bool {
        let is_sound = self.until <= now + Self::LENGTH + Self::CLOCKS;
        now < self.until && is_sound && node != Some(&self.owner)
    }
}

/// The kinds of jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// Query the gateway for the status of an attempt.
    AskGateway {
        /// The payment attempt.
        payment: Uuid,
    },
    /// Charge an instalment to the stored card, until the outcome is known.
    Collect {
        /// The payment attempt.
        payment: Uuid,
    },
    /// Make a refund.
    Refund { refund: Uuid },
    /// Send the sandbox gateway's callback to the shop.
    SandboxCallback {
        /// The shop's attempt.
        payment: Uuid,
        event: SandboxEvent,
    },
    /// Assign to the user the remaining policies without an owner that were sold to the user's mail address.
    ClaimPolicies {
        /// The address as a user name.
        name: String,
        user: Uuid,
    },
    /// Release the remaining quotes that wait for a mailbox, after the mailbox's owner chose among the newest
    /// quotes.
    ReleaseQuotes {
        /// The address as a user name.
        name: String,
        /// The newest quote that may be released. Newer quotes stay.
        until: Uuid,
    },
    /// Mail a link that resumes the waiting quote; see [`super::QuoteMails::waiting`].
    MailQuote { mailbox: String },
    /// Mail a link that sets a password. The address must belong to a user, or to an unclaimed quote or
    /// policy.
    MailPassword {
        /// The address as a user name.
        name: String,
    },
    /// Mail a link that confirms a user's new address.
    MailConfirmation { user: Uuid },
    /// Quote a policy's renewal again, because the policy's answers changed.
    Renew { policy: Uuid },
    /// Charge the stored card for an automatic renewal.
    RenewByCard { policy: Uuid },
    /// Remove a stored card at its gateway.
    RemoveCard { instrument: Uuid },
    /// Mail a letter about an event of a policy to its owner, or to the address in its answers.
    MailPolicy {
        policy: Uuid,
        /// The event.
        news: PolicyNotification,
    },
    /// Render a document.
    MakeDocument { document: Uuid },
    /// Mail a warning or confirmation without a link.
    MailNotice { address: String, notice: Notice },
}

impl Task {
    /// Returns the task's name for the log. The name omits the task's fields, because they may identify a
    /// person.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::AskGateway { .. } => "ask the gateway",
            Self::Collect { .. } => "collect a payment",
            Self::Refund { .. } => "refund",
            Self::SandboxCallback { event, .. } => match event {
                SandboxEvent::State => "sandbox callback",
                SandboxEvent::Disputed => "sandbox dispute",
            },
            Self::ClaimPolicies { .. } => "claim policies",
            Self::ReleaseQuotes { .. } => "release quotes",
            Self::MailQuote { .. } => "mail a quote's link",
            Self::MailPassword { .. } => "mail a password's link",
            Self::MailConfirmation { .. } => "mail an address's link",
            Self::Renew { .. } => "quote a renewal anew",
            Self::RenewByCard { .. } => "charge a renewal",
            Self::RemoveCard { .. } => "remove a card",
            Self::MailPolicy { .. } => "mail a policy's news",
            Self::MailNotice { .. } => "mail a notice",
            Self::MakeDocument { .. } => "make a document",
        }
    }
}

/// An account notice, which has no link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Notice {
    PasswordChanged,
    /// The mail address is to be replaced.
    AddressChangeAsked,
    /// The mail address was replaced.
    AddressChanged,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_keeps_others_out_until_it_ends_and_not_where_a_clock_was_wrong() {
        let now = DateTime::UNIX_EPOCH;
        let keeps_out = |node, seconds| {
            let lease = Lease {
                owner: "one".to_string(),
                until: now + TimeDelta::seconds(seconds),
            };
            lease.is_held_by_other(node, now)
        };
        for (seconds, keeps) in [(-1, false), (0, false), (1, true), (24, true), (25, false)] {
            assert_eq!(keeps_out(Some("other"), seconds), keeps, "{seconds}");
            assert_eq!(keeps_out(None, seconds), keeps, "{seconds}");
            assert!(!keeps_out(Some("one"), seconds), "{seconds}");
        }
    }
}
