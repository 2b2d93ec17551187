//! Settings of the property tests.

use proptest::test_runner::{Config, RngSeed};

/// Returns a configuration with `PROPTEST_CASES` cases, or `usual` if the variable is not set.
pub fn cases(usual: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok();
    Config {
        cases: asked.and_then(|text| text.parse().ok()).unwrap_or(usual),
        failure_persistence: None,
        ..Config::default()
    }
}

/// Returns a configuration with the same `usual` cases at each run, or with `PROPTEST_CASES` other cases.
pub fn fixed_cases(usual: u32) -> Config {
    let mut config = Config {
        max_shrink_iters: 64,
        ..cases(usual)
    };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}
