//! A cache of responses that are the same for everybody until the day ends. A cached response is not
//! built and compressed again.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use chrono::NaiveDate;

use crate::api::website::files::File;

/// Largest size of all cached responses together, bytes.
const LARGEST: usize = 32 << 20;

/// The subject of a cached response. A path cannot be the key: percent-encoding gives many paths one
/// meaning.
#[derive(PartialEq, Eq, Hash)]
pub(in crate::api) enum CacheKey {
    /// The data that every page of the website needs.
    Site {
        is_held: bool,
    },
    ProductsOnSale,
    /// The questions of the help page.
    Help,
    /// A product, by its identifier.
    Product(String),
    /// A product's steps, in one context or in all.
    Stepper(String, Option<String>),
    /// A page of the website with its first content.
    Page {
        /// The page's pattern.
        pattern: &'static str,
        /// The product in the address.
        product: Option<String>,
        /// The preset in the address. It fills in answers.
        preset: Option<String>,
        /// Which lines of a price the campaign makes free.
        free: Vec<bool>,
        /// Whether the shop is held.
        is_held: bool,
    },
}

/// The responses of one day. Settings are constant while the shop runs. Prices, a form's earliest day
/// and the products on sale depend on the day.
pub(in crate::api) struct DailyCache(RwLock<CachedAnswers>);

struct CachedAnswers {
    day: NaiveDate,
    size: usize,
    largest: usize,
    files: HashMap<CacheKey, Arc<File>>,
}

impl Default for DailyCache {
    fn default() -> Self {
        Self(RwLock::new(CachedAnswers::new(NaiveDate::MIN, LARGEST)))
    }
}

impl DailyCache {
    /// Returns the response of `day` about `subject`. If the response is not cached, builds it with
    /// `make`. Caches the new response unless the cache already has a later day.
    pub(in crate::api) fn file<E>(
        &self,
        day: NaiveDate,
        subject: CacheKey,
        make: impl FnOnce() -> Result<File, E>,
    ) -> Result<Arc<File>, E> {
        let cached = {
            let answers = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let cached = (answers.day == day).then(|| answers.files.get(&subject).cloned());
            cached.flatten()
        };
        if let Some(cached) = cached {
            return Ok(cached);
        }
        let made = Arc::new(make()?);
        let mut answers = self.0.write().unwrap_or_else(PoisonError::into_inner);
        // A request that began before midnight must not restore yesterday's responses.
        if answers.day <= day {
            answers.insert(day, subject, made.clone());
        }
        Ok(made)
    }
}

impl CachedAnswers {
    fn new(day: NaiveDate, largest: usize) -> Self {
        Self {
            day,
            size: 0,
            largest,
            files: HashMap::new(),
        }
    }

    /// Stores a response, unless it alone exceeds `largest`. First clears the cache if its day is another
    /// day, or if the responses would exceed `largest`.
    fn insert(&mut self, day: NaiveDate, subject: CacheKey, file: Arc<File>) {
        if file.size() > self.largest {
            return;
        }
        if self.day != day || self.size + file.size() > self.largest {
            *self = Self::new(day, self.largest);
        }
        self.size += file.size();
        if let Some(before) = self.files.insert(subject, file) {
            self.size -= before.size();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn day(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 6, day).unwrap()
    }

    fn file(size: usize) -> File {
        File::from_body("text/plain", vec![0; size])
    }

    #[test]
    fn a_file_is_made_once_a_day() {
        let cache = DailyCache::default();
        let mut made = 0;
        for (on, so_far) in [(1, 1), (1, 1), (2, 2), (1, 3), (2, 3)] {
            let make = || {
                made += 1;
                Ok::<_, Infallible>(file(2))
            };
            cache
                .file(day(on), CacheKey::Site { is_held: false }, make)
                .unwrap();
            assert_eq!(made, so_far, "day {on}");
        }
        let fails = || Err("not today");
        let failed = cache.file(day(2), CacheKey::ProductsOnSale, fails);
        assert_eq!(failed.err(), Some("not today"));
        let make = || Ok::<_, Infallible>(file(0));
        assert!(cache.file(day(2), CacheKey::ProductsOnSale, make).is_ok());
    }

    #[test]
    fn the_answers_of_a_day_take_so_much_and_no_more() {
        let cache = DailyCache(RwLock::new(CachedAnswers::new(day(1), 1000)));
        let size = |cache: &DailyCache| cache.0.read().unwrap().size;
        for number in 0..20 {
            let subject = CacheKey::Product(number.to_string());
            let made = cache.file(day(1), subject, || Ok::<_, Infallible>(file(300)));
            assert!(made.is_ok() && size(&cache) <= 1000);
        }
        assert_eq!(size(&cache), 600, "20 of them, each time three at the most");
        let made = cache.file(day(1), CacheKey::Site { is_held: false }, || {
            Ok::<_, Infallible>(file(1001))
        });
        assert_eq!((made.unwrap().size(), size(&cache)), (1001, 600));
    }
}
