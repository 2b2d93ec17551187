//! The details of a person, and the check of each detail. `person.toml` defines the details.

use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::domain::account::Profile;
use crate::domain::product::form::errors::FieldErrors;
use crate::domain::quote::policyholder;
use crate::domain::text;
use crate::domain::uk::{phone, postcode};
use crate::json_schema::ResponseSchema;
use crate::toml_reader::{self, TypeMistake};

/// The ISO 3166-1 code of the United Kingdom.
const UNITED_KINGDOM: u32 = 826;

/// An entry of a list to choose from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The id in requests and answers.
    pub id: u32,
    /// The text for a person.
    pub title: String,
}

/// How a detail is checked and stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum DetailKind {
    Name,
    Address,
    Postcode,
    Phone,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    name: String,
    /// The label on the website. Readers of the file need it; this program does not.
    #[serde(rename = "label")]
    _label: String,
    kind: DetailKind,
    /// The highest number of characters.
    max: usize,
    #[serde(default)]
    required: bool,
}

/// The lists of choices and the details.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// The choices of `title_id`.
    pub titles: Vec<Choice>,
    /// The choices of `country_id`.
    pub countries: Vec<Choice>,
    #[serde(rename = "field")]
    fields: Vec<Field>,
}

impl Person {
    /// Reads `person.toml`, which is compiled in.
    ///
    /// # Errors
    /// Returns the mistake in the file.
    pub fn built_in() -> Result<Self, TypeMistake> {
        let table = DeTable::parse(include_str!("person.toml"))?;
        toml_reader::read(&Spanned::new(0..0, DeValue::Table(table.into_inner())))
    }

    /// Returns `profile` with the normalised `changes` applied. A missing text leaves the field
    /// unchanged, and an empty text clears an optional field.
    ///
    /// # Errors
    /// Returns the errors by field name: an unknown id, an empty required field or an invalid text.
    pub fn apply_changes(
        &self,
        profile: &Profile,
        mut changes: Profile,
    ) -> Result<Profile, FieldErrors> {
        let mut changed = profile.clone();
        let mut errors = FieldErrors::default();
        let mut choose = |name: &str, id: Option<u32>, list: &[Choice]| {
            let is_known = id.is_none_or(|id| list.iter().any(|choice| choice.id == id));
            if !is_known {
                errors.add(name, "Choose one of the options");
            }
            id.filter(|_| is_known)
        };
        let title = choose("title_id", changes.title_id, &self.titles);
        let country = choose("country_id", changes.country_id, &self.countries);
        changed.title_id = title.or(changed.title_id);
        changed.country_id = country.or(changed.country_id);
        let british = changed.country_id.is_none_or(|id| id == UNITED_KINGDOM);
        for field in &self.fields {
            let text = policyholder::text_mut(&mut changes, &field.name);
            let Some(typed) = text.and_then(Option::take) else {
                continue;
            };
            match (
                field.normalise(&typed, british),
                policyholder::text_mut(&mut changed, &field.name),
            ) {
                (Ok(stored), Some(text)) => *text = stored,
                (Err(text), _) => errors.add(field.name.as_str(), text),
                (Ok(_), None) => {}
            }
        }
        if errors.is_empty() {
            Ok(changed)
        } else {
            Err(errors)
        }
    }
}

impl Field {
    /// Returns the normalised text, or `None` if an optional field is empty. The error is the
    /// message for the customer.
    fn normalise(&self, typed: &str, british: bool) -> Result<Option<String>, String> {
        let typed = typed.trim();
        if typed.is_empty() {
            return if self.required {
                Err("Required.".to_string())
            } else {
                Ok(None)
            };
        }
        let stored = match self.kind {
            DetailKind::Address => text::lines(typed, 0, self.max)?,
            DetailKind::Postcode if british => {
                postcode::check(typed).ok_or("Enter a UK postcode, such as SW1A 1AA")?
            }
            DetailKind::Phone => phone::check(typed).ok_or(phone::FAULT)?,
            DetailKind::Name | DetailKind::Postcode => text::line(typed, 0, self.max)?,
        };
        Ok(Some(stored))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person() -> Person {
        Person::built_in().unwrap()
    }

    fn change(texts: &[(&'static str, &str)]) -> Profile {
        let mut changes = Profile::default();
        for (name, text) in texts {
            *policyholder::text_mut(&mut changes, name).unwrap() = Some(text.to_string());
        }
        changes
    }

    #[test]
    fn every_detail_of_the_file_has_its_place() {
        let mut profile = Profile::default();
        for field in person().fields {
            assert!(
                policyholder::text_mut(&mut profile, &field.name).is_some(),
                "{}",
                field.name
            );
        }
        let mut ids: Vec<_> = person().countries.iter().map(|c| c.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), person().countries.len());
        assert_eq!(person().countries[0].id, UNITED_KINGDOM);
    }

    #[test]
    fn details_are_kept_as_they_are_written_everywhere() {
        let changed = person()
            .apply_changes(
                &Profile::default(),
                change(&[
                    ("first_name", "  Zoë "),
                    ("address_primary", " 1 High Street\r\n\n Leeds "),
                    ("postcode_primary", "ls61ab"),
                    ("tel_primary", "07400 123456"),
                    ("fax_primary", " "),
                ]),
            )
            .unwrap();
        assert_eq!(changed.first_name.as_deref(), Some("Zoë"));
        assert_eq!(
            changed.address_primary.as_deref(),
            Some("1 High Street\nLeeds")
        );
        assert_eq!(changed.postcode_primary.as_deref(), Some("LS6 1AB"));
        assert_eq!(changed.tel_primary.as_deref(), Some("+447400123456"));
        assert_eq!(changed.fax_primary, None);
    }

    #[test]
    fn every_fault_is_named_and_nothing_is_changed() {
        let mut wish = change(&[
            ("last_name", " "),
            ("postcode_primary", "nowhere"),
            ("gsm_primary", "12"),
            ("first_name", "a\u{202e}b"),
        ]);
        wish.title_id = Some(99);
        let errors = person()
            .apply_changes(&Profile::default(), wish)
            .unwrap_err();
        let fields: Vec<_> = errors.0.keys().map(String::as_str).collect();
        assert_eq!(
            fields,
            [
                "title_id",
                "first_name",
                "last_name",
                "postcode_primary",
                "gsm_primary"
            ]
        );
        assert_eq!(errors.first("last_name"), Some("Required."));
    }

    #[test]
    fn a_postcode_abroad_is_only_a_text() {
        let mut wish = change(&[("postcode_primary", "10115")]);
        wish.country_id = Some(276);
        let changed = person().apply_changes(&Profile::default(), wish).unwrap();
        assert_eq!(changed.postcode_primary.as_deref(), Some("10115"));
    }
}
