//! What is the same for everybody until the day ends, made once and kept.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

use chrono::NaiveDate;

use super::assets::files::File;

/// Files of one day. Settings don't change while the shop runs, but a price, a form's earliest day and what
/// is on sale follow the day.
pub(super) struct OfTheDay<K>(RwLock<(NaiveDate, HashMap<K, Arc<File>>)>);

impl<K> Default for OfTheDay<K> {
    fn default() -> Self {
        Self(RwLock::new((NaiveDate::MIN, HashMap::new())))
    }
}

impl<K: Eq + Hash> OfTheDay<K> {
    /// The file of a day; `make` makes it where it isn't kept, and it is kept unless that fails. There must
    /// be few different keys, since nothing is given up before the day is.
    pub(super) fn file<E>(
        &self,
        day: NaiveDate,
        key: K,
        make: impl FnOnce() -> Result<File, E>,
    ) -> Result<Arc<File>, E> {
        let known = {
            let kept = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let known = (kept.0 == day).then(|| kept.1.get(&key).cloned());
            known.flatten()
        };
        if let Some(known) = known {
            return Ok(known);
        }
        let made = Arc::new(make()?);
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        // A request that began before midnight doesn't bring yesterday back.
        if kept.0 < day {
            *kept = (day, HashMap::new());
        }
        if kept.0 == day {
            kept.1.insert(key, made.clone());
        }
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn a_file_is_made_once_a_day() {
        let kept = OfTheDay::<&str>::default();
        let day = |day| NaiveDate::from_ymd_opt(2026, 6, day).unwrap();
        let mut made = 0;
        for (on, so_far) in [(1, 1), (1, 1), (2, 2), (1, 3), (2, 3)] {
            let make = || {
                made += 1;
                Ok::<_, Infallible>(File::made("text/plain", b"it".to_vec()))
            };
            kept.file(day(on), "a", make).unwrap();
            assert_eq!(made, so_far, "day {on}");
        }
        let failed = kept.file(day(2), "b", || Err("not today"));
        assert_eq!(failed.err(), Some("not today"));
        assert!(
            kept.file(day(2), "b", || Ok::<_, Infallible>(File::made(
                "text/plain",
                vec![]
            )))
            .is_ok()
        );
    }
}
