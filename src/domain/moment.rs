//! How a moment stands in a row: microseconds since 1970 in UTC. Reading and writing it as a text
//! took a tenth of a quote's time.

use chrono::{DateTime, Utc};
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serializer};

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
    of_micros(i64::deserialize(deserializer)?)
}

fn of_micros<E: Error>(micros: i64) -> Result<DateTime<Utc>, E> {
    DateTime::from_timestamp_micros(micros).ok_or_else(|| {
        let expected = "microseconds since 1970 of a year between -262143 and 262142";
        E::invalid_value(Unexpected::Signed(micros), &expected)
    })
}

/// The same for a moment that may be missing.
pub mod option {
    use super::{DateTime, Deserialize, Deserializer, Serializer, Utc};

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
        let micros = Option::<i64>::deserialize(deserializer)?;
        micros.map(super::of_micros).transpose()
    }
}

/// The same for several moments.
pub mod list {
    use super::{DateTime, Deserialize, Deserializer, Serializer, Utc};

    /// Writes the moments, in their order.
    ///
    /// # Errors
    /// The writer's.
    pub fn serialize<S: Serializer>(
        moments: &[DateTime<Utc>],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(moments.iter().map(DateTime::timestamp_micros))
    }

    /// Reads the moments.
    ///
    /// # Errors
    /// When one of them is none.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<DateTime<Utc>>, D::Error> {
        let micros = Vec::<i64>::deserialize(deserializer)?;
        micros.into_iter().map(super::of_micros).collect()
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
        #[serde(with = "super::list")]
        sent: Vec<DateTime<Utc>>,
    }

    #[test]
    fn a_row_is_read_as_it_was_written() {
        let at: DateTime<Utc> = "2026-11-21T12:00:00.000123Z".parse().unwrap();
        for ends in [None, Some(at), "1960-01-01T00:00:00Z".parse().ok()] {
            let sent = ends.into_iter().chain([at]).collect();
            let row = Row { at, ends, sent };
            let written = rmp_serde::to_vec_named(&row).unwrap();
            assert_eq!(rmp_serde::from_slice::<Row>(&written).unwrap(), row);
            let json = serde_json::to_value(&row).unwrap();
            assert_eq!(json["at"], at.timestamp_micros());
            assert_eq!(serde_json::from_value::<Row>(json).unwrap(), row);
        }
    }

    #[test]
    fn a_text_and_a_number_out_of_range_are_no_moments() {
        for wrong in [
            serde_json::json!({ "at": "2026-11-21T12:00:00Z", "ends": null, "sent": [] }),
            serde_json::json!({ "at": i64::MAX, "ends": null, "sent": [] }),
        ] {
            let row = rmp_serde::to_vec_named(&wrong).unwrap();
            rmp_serde::from_slice::<Row>(&row).unwrap_err();
        }
    }
}
