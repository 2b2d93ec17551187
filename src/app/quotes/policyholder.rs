//! What the answers say of the policyholder.

use crate::domain::account::username;
use crate::domain::answers::Answers;

/// The policyholder's name as typed, for lists.
pub(in crate::app) fn holder_name(answers: &Answers) -> String {
    ["first_name", "middle_name", "last_name"]
        .iter()
        .filter_map(|name| answers.values.get(*name)?.as_str())
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The mail address typed as the policyholder's, as a user name.
pub(in crate::app) fn typed_name(answers: &Answers) -> Option<String> {
    answers.text("email_primary").map(username)
}
