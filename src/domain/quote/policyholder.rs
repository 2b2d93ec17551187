//! The policyholder's fields. Every product file uses these names, because lists, letters,
//! documents and accounts read the fields (docs/PRODUCTS.md). Other modules find an answer by these
//! constants.

use serde_json::Value;

use crate::domain::account::{self, Profile};
use crate::domain::quote::answers::Answers;

/// The title, by its id in the product's list.
pub const TITLE: &str = "title";
pub const FIRST_NAME: &str = "first_name";
pub const MIDDLE_NAME: &str = "middle_name";
pub const LAST_NAME: &str = "last_name";
/// The mail address. In lower case, the address is also the user name.
pub const EMAIL: &str = "email_primary";
/// The telephone number, E.164.
pub const TELEPHONE: &str = "tel_primary";
/// The mobile telephone number, E.164.
pub const MOBILE: &str = "gsm_primary";
/// The fax number, E.164. Only accounts have this field; no product asks for a fax number.
pub const FAX: &str = "fax_primary";
/// The postal address without the postcode, one line for each line of the address.
pub const ADDRESS: &str = "address_primary";
pub const POSTCODE: &str = "postcode_primary";
/// The checkbox that agrees to the terms, asked when the quote is accepted.
pub const TERMS: &str = "terms_and_conditions";
/// The checkbox that allows letters about other products and offers.
pub const MARKETING: &str = "marketing_contact";

/// The fields that have these names in all product files.
pub const FIELDS: [&str; 11] = [
    TITLE,
    FIRST_NAME,
    MIDDLE_NAME,
    LAST_NAME,
    EMAIL,
    TELEPHONE,
    MOBILE,
    ADDRESS,
    POSTCODE,
    TERMS,
    MARKETING,
];

/// Returns the first, middle and last name as typed, or an empty text if there is none.
#[must_use]
pub fn name(answers: &Answers) -> String {
    [FIRST_NAME, MIDDLE_NAME, LAST_NAME]
        .into_iter()
        .filter_map(|name| text(answers, name))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the mail address as typed, or `None` if there is none.
#[must_use]
pub fn email(answers: &Answers) -> Option<&str> {
    answers.text(EMAIL)
}

/// Returns the user name of the typed mail address.
#[must_use]
pub fn username(answers: &Answers) -> Option<String> {
    email(answers).map(account::username)
}

/// Returns the lines of the postal address with its postcode, without empty lines.
#[must_use]
pub fn address_lines(answers: &Answers) -> Vec<String> {
    [ADDRESS, POSTCODE]
        .into_iter()
        .filter_map(|name| answers.text(name))
        .flat_map(str::lines)
        .map(|line| line.trim().to_string())
        .filter(|line| !line.is_empty())
        .collect()
}

/// Returns the details that the answers have for an account.
#[must_use]
pub fn profile(answers: &Answers) -> Profile {
    let text = |name| text(answers, name).map(str::to_string);
    let title = answers.values.get(TITLE).and_then(Value::as_u64);
    Profile {
        title_id: title.and_then(|id| u32::try_from(id).ok()),
        first_name: text(FIRST_NAME),
        middle_name: text(MIDDLE_NAME),
        last_name: text(LAST_NAME),
        email_primary: text(EMAIL),
        address_primary: text(ADDRESS),
        postcode_primary: text(POSTCODE),
        tel_primary: text(TELEPHONE),
        gsm_primary: text(MOBILE),
        fax_primary: None,
        country_id: None,
    }
}

/// Returns the text field `name` of an account, or `None` if the account has no such field. The
/// mail address is excluded, because it changes only when its mailbox is confirmed.
pub fn text_mut<'a>(profile: &'a mut Profile, name: &str) -> Option<&'a mut Option<String>> {
    match name {
        FIRST_NAME => Some(&mut profile.first_name),
        MIDDLE_NAME => Some(&mut profile.middle_name),
        LAST_NAME => Some(&mut profile.last_name),
        ADDRESS => Some(&mut profile.address_primary),
        POSTCODE => Some(&mut profile.postcode_primary),
        TELEPHONE => Some(&mut profile.tel_primary),
        MOBILE => Some(&mut profile.gsm_primary),
        FAX => Some(&mut profile.fax_primary),
        _ => None,
    }
}

/// Returns the trimmed text of an answer, or `None` if it is empty.
fn text<'a>(answers: &'a Answers, name: &str) -> Option<&'a str> {
    let text = answers.text(name)?.trim();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answers(values: Value) -> Answers {
        serde_json::from_value(json!({ "values": values, "multi": {} })).unwrap()
    }

    #[test]
    fn a_name_and_an_address_are_read_without_what_is_empty() {
        let typed = answers(json!({
            "first_name": " Ann ", "middle_name": " ", "last_name": "Lee",
            "address_primary": " 1 High Street\n\nLeeds ", "postcode_primary": "LS6 1AB",
        }));
        assert_eq!(name(&typed), "Ann Lee");
        assert_eq!(address_lines(&typed), ["1 High Street", "Leeds", "LS6 1AB"]);
        assert_eq!(name(&Answers::default()), "");
        assert_eq!(address_lines(&Answers::default()), Vec::<String>::new());
    }

    #[test]
    fn the_mail_address_in_small_letters_is_the_user_name() {
        let typed = answers(json!({ "email_primary": " Ann@Example.com" }));
        assert_eq!(email(&typed), Some(" Ann@Example.com"));
        assert_eq!(username(&typed).as_deref(), Some("ann@example.com"));
        assert_eq!(username(&Answers::default()), None);
    }

    #[test]
    fn every_text_of_an_account_but_its_address_can_be_changed_by_name() {
        let mut profile = Profile::default();
        let changed = FIELDS.map(|name| text_mut(&mut profile, name).is_some());
        let expected = [
            false, true, true, true, false, true, true, true, true, false, false,
        ];
        assert_eq!(changed, expected);
        assert!(text_mut(&mut profile, FAX).is_some());
    }
}
