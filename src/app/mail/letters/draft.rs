//! What a letter says, before it is laid out.

use crate::domain::money::Pence;

/// What a letter says, before it is laid out.
pub(in crate::app) struct Draft<'a> {
    pub(in crate::app) subject: String,
    pub(in crate::app) title: &'static str,
    /// Before the button.
    pub(in crate::app) says: Vec<String>,
    /// The facts, as a small table.
    pub(in crate::app) facts: Vec<(&'static str, String)>,
    /// The one thing to do.
    pub(in crate::app) button: Option<(&'static str, &'a str)>,
    /// What to know about the link.
    pub(in crate::app) note: Option<&'static str>,
    /// Another thing that can be done: why, what, and where.
    pub(in crate::app) also: Option<(&'static str, &'static str, &'a str)>,
    /// The question of a reader who did not do this.
    pub(in crate::app) question: &'static str,
    /// What to do then.
    pub(in crate::app) advice: String,
    /// Where to do that.
    pub(in crate::app) remedy: Option<(&'static str, String)>,
    /// Why they get this letter.
    pub(in crate::app) why: &'static str,
}

/// What is said of a refund while a bank decides a dispute of its payment.
pub(super) const DISPUTE_DECIDES: &str = "Your bank is deciding a dispute of your payment, and the refund \
                                          waits for that. If the payment stands, the refund goes to the \
                                          card that paid. If your bank gives you the money, no refund \
                                          follows.";

/// Subject, title, sentences and facts.
pub(super) type Words = (
    String,
    &'static str,
    Vec<String>,
    Vec<(&'static str, String)>,
);

/// An amount in ASCII, so that no mail server has to encode the letter.
pub(super) fn sum(amount: Pence) -> String {
    amount.to_string().replace('\u{a3}', "GBP ")
}
