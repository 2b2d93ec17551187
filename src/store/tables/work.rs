//! Work to do: what outlives the process until it is done, and the letters that were given up.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::policy_news::PolicyNews;
use crate::domain::payment::sandbox::SandboxEvent;

/// A letter that was tried for a day and given up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnsentLetter {
    /// What was to be mailed.
    pub task: Task,
    /// The quote that a letter about a quote was about.
    pub quote: Option<Uuid>,
    /// What the mail server answered last, as in [`super::RefusedAddress::reason`].
    pub reason: String,
}

/// A piece of work that outlives the process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// What to do.
    pub task: Task,
    /// How often it has been tried.
    pub tries: u32,
    /// Who is at work on it, where several shops serve the store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
}

/// What one of several shops has taken to do, for a while that it makes longer as long as it lives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// The shop; see [`crate::store::Store::node`].
    pub owner: String,
    /// When others may take it.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub until: DateTime<Utc>,
}

impl Lease {
    /// How long one holds that nobody makes longer.
    pub const LENGTH: TimeDelta = TimeDelta::seconds(20);
    /// Most that the clocks of two shops differ: each may be two seconds from the database's.
    const CLOCKS: TimeDelta = TimeDelta::seconds(4);

    /// Whether it keeps `node` out. One that holds for longer than a lease does was written by a clock
    /// that was wrong, and keeps nobody out.
    #[must_use]
    pub fn keeps_out(&self, node: Option<&str>, now: DateTime<Utc>) -> bool {
        let is_sound = self.until <= now + Self::LENGTH + Self::CLOCKS;
        now < self.until && is_sound && node != Some(&self.owner)
    }
}

/// The kinds of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// Ask the gateway what became of an attempt.
    AskGateway {
        /// The attempt.
        payment: Uuid,
    },
    /// Make a refund.
    Refund {
        /// The refund.
        refund: Uuid,
    },
    /// The sandbox gateway calls the shop back.
    SandboxCallback {
        /// The shop's attempt.
        payment: Uuid,
        /// What about.
        event: SandboxEvent,
    },
    /// Give the user the rest of the quotes without an owner that have their mail address.
    #[serde(rename = "ClaimQuotes")]
    TakeOverQuotes {
        /// The address as a user name.
        name: String,
        /// The user.
        user: Uuid,
    },
    /// Release the quotes that wait for a mailbox whose owner has said that they aren't theirs.
    ReleaseQuotes {
        /// The address as a user name.
        name: String,
        /// The newest of them.
        until: Uuid,
    },
    /// Mail a link that resumes the quote that waits for it; see [`super::QuoteMails::waiting`].
    MailQuote {
        /// The mailbox.
        mailbox: String,
    },
    /// Mail a link that sets a password, if the address is a user's or was typed into an unclaimed
    /// quote.
    MailPassword {
        /// The address as a user name.
        name: String,
    },
    /// Mail a link that confirms a user's new address.
    MailConfirmation {
        /// The user.
        user: Uuid,
    },
    /// Quote a policy's renewal anew: its answers have changed since.
    Renew {
        /// The policy.
        policy: Uuid,
    },
    /// Charge the card of a policy that renews by itself.
    RenewByCard {
        /// The policy.
        policy: Uuid,
    },
    /// Mail what happened to a policy.
    MailPolicy {
        /// The policy.
        policy: Uuid,
        /// What happened.
        news: PolicyNews,
    },
    /// Print a document.
    MakeDocument {
        /// The document.
        document: Uuid,
    },
    /// Mail a warning or confirmation without a link.
    MailNotice {
        /// The address.
        address: String,
        /// What about.
        notice: Notice,
    },
}

impl Task {
    /// Its name in the log, without the fields: they may identify a person.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::AskGateway { .. } => "ask the gateway",
            Self::Refund { .. } => "refund",
            Self::SandboxCallback { event, .. } => match event {
                SandboxEvent::State => "sandbox callback",
                SandboxEvent::Disputed => "sandbox dispute",
            },
            Self::TakeOverQuotes { .. } => "take over quotes",
            Self::ReleaseQuotes { .. } => "release quotes",
            Self::MailQuote { .. } => "mail a quote's link",
            Self::MailPassword { .. } => "mail a password's link",
            Self::MailConfirmation { .. } => "mail an address's link",
            Self::Renew { .. } => "quote a renewal anew",
            Self::RenewByCard { .. } => "charge a renewal",
            Self::MailPolicy { .. } => "mail a policy's news",
            Self::MailNotice { .. } => "mail a notice",
            Self::MakeDocument { .. } => "make a document",
        }
    }
}

/// What a mail without a link says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Notice {
    /// The password was changed.
    PasswordChanged,
    /// Another address is to take this one's place.
    AddressChangeAsked,
    /// Another address has taken this one's place.
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
            lease.keeps_out(node, now)
        };
        for (seconds, keeps) in [(-1, false), (0, false), (1, true), (24, true), (25, false)] {
            assert_eq!(keeps_out(Some("other"), seconds), keeps, "{seconds}");
            assert_eq!(keeps_out(None, seconds), keeps, "{seconds}");
            assert!(!keeps_out(Some("one"), seconds), "{seconds}");
        }
    }
}
