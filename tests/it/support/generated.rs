//! Settings of the property tests.

use proptest::test_runner::Config;

/// Returns a configuration with `PROPTEST_CASES` cases, or `usual` if the variable is not set.
pub fn cases(usual: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok();
    Config {
        cases: asked.and_then(|text| text.parse().ok()).unwrap_or(usual),
        failure_persistence: None,
        ..Config::default()
    }
}
