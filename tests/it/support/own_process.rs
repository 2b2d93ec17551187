//! Runs a test in a process of its own: the metrics and some limits of the log belong to the process.

use std::process::Command;

const IS_OWN: &str = "TEST_HAS_OWN_PROCESS";

/// Runs the test `name` in a new process. Returns false in that process, which then runs the test.
///
/// # Panics
/// If the test fails.
pub fn passes(name: &str) -> bool {
    if std::env::var_os(IS_OWN).is_some() {
        return false;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    let done = command.args([name, "--exact"]).env(IS_OWN, "1").output();
    let done = done.unwrap();
    let output = String::from_utf8_lossy(&done.stdout);
    assert!(
        done.status.success() && output.contains("1 passed"),
        "{output}"
    );
    true
}
