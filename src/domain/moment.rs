//! How a moment stands in a row: microseconds since 1970 in UTC. Texts, as older rows have them, are
//! read as well; reading and writing them took a tenth of a quote's time.

use std::fmt;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserializer, Serializer};

/// Writes a moment into a row.
///
/// # Errors
/// The writer's.
pub fn serialize<S: Serializer>(at: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i64(at.timestamp_micros())
}

/// Reads a moment from a row.
///
/// # Errors
/// When it is none.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DateTime<Utc>, D::Error> {
    deserializer.deserialize_any(Moment)
}

/// Writes a moment for people and programs, RFC 3339.
///
/// # Errors
/// The writer's.
pub fn rfc3339<S: Serializer>(at: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&at.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

struct Moment;

impl Visitor<'_> for Moment {
    type Value = DateTime<Utc>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("microseconds since 1970, or RFC 3339")
    }

    fn visit_i64<E: Error>(self, micros: i64) -> Result<Self::Value, E> {
        let unknown = || E::invalid_value(Unexpected::Signed(micros), &self);
        DateTime::from_timestamp_micros(micros).ok_or_else(unknown)
    }

    fn visit_u64<E: Error>(self, micros: u64) -> Result<Self::Value, E> {
        self.visit_i64(i64::try_from(micros).map_err(E::custom)?)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        text.parse().map_err(E::custom)
    }
}

/// The same for a moment that may be missing.
pub mod option {
    use super::{DateTime, Deserializer, Error, Moment, Serializer, Utc, Visitor, fmt};

    /// Writes a moment, or none.
    ///
    /// # Errors
    /// The writer's.
    pub fn serialize<S: Serializer>(
        at: &Option<DateTime<Utc>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match at {
            Some(at) => serializer.serialize_some(&at.timestamp_micros()),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a moment, or none.
    ///
    /// # Errors
    /// When it is neither.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<DateTime<Utc>>, D::Error> {
        deserializer.deserialize_option(Maybe)
    }

    /// Writes a moment for people and programs, or null.
    ///
    /// # Errors
    /// The writer's.
    pub fn rfc3339<S: Serializer>(
        at: &Option<DateTime<Utc>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match at {
            Some(at) => super::rfc3339(at, serializer),
            None => serializer.serialize_none(),
        }
    }

    struct Maybe;

    impl<'de> Visitor<'de> for Maybe {
        type Value = Option<DateTime<Utc>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a moment or none")
        }

        fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
            inner.deserialize_any(Moment).map(Some)
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use serde::{Deserialize, Serialize};

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(with = "super")]
        at: DateTime<Utc>,
        #[serde(with = "super::option")]
        ends: Option<DateTime<Utc>>,
    }

    #[test]
    fn a_row_is_read_as_it_was_written_and_as_an_older_layby_wrote_it() {
        #[derive(Serialize)]
        struct Older {
            at: DateTime<Utc>,
            ends: Option<DateTime<Utc>>,
        }
        let at: DateTime<Utc> = "2026-11-21T12:00:00.000123Z".parse().unwrap();
        for ends in [None, Some(at), "1960-01-01T00:00:00Z".parse().ok()] {
            let row = Row { at, ends };
            let written = rmp_serde::to_vec_named(&row).unwrap();
            assert_eq!(rmp_serde::from_slice::<Row>(&written).unwrap(), row);
            let older = rmp_serde::to_vec_named(&Older { at, ends }).unwrap();
            assert_eq!(rmp_serde::from_slice::<Row>(&older).unwrap(), row);
            let json = serde_json::to_value(&row).unwrap();
            assert_eq!(serde_json::from_value::<Row>(json).unwrap(), row);
        }
    }
}
