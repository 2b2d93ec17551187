//! Tests over input that is made up.

use proptest::test_runner::Config;

/// As many cases as `PROPTEST_CASES` says, or else `usual`.
pub fn cases(usual: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok();
    Config {
        cases: asked.and_then(|text| text.parse().ok()).unwrap_or(usual),
        failure_persistence: None,
        ..Config::default()
    }
}
