//! Runs background loops as separate tasks, and restarts them after a panic.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use tokio::sync::watch;

use crate::metrics;

/// Pause before the first restart. Each further pause is twice as long, up to [`MAX_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// Longest pause. A loop that ran longer than this time restarts after [`FIRST_PAUSE`].
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// Runs the loop `name` until `stop` is true. Restarts the loop after a pause if it panics or ends
/// early.
pub(super) async fn supervise<F: Future<Output = ()>>(
    name: &'static str,
    mut stop: watch::Receiver<bool>,
    begin: impl Fn() -> F,
) {
    let mut pause = FIRST_PAUSE;
    metrics::add_loop(name);
    loop {
        let began = Instant::now();
        let ended = AssertUnwindSafe(begin()).catch_unwind().await;
        if *stop.borrow() {
            return;
        }
        let has_panicked = ended.is_err();
        tracing::error!(name, has_panicked, "a background loop was restarted");
        metrics::loop_restarted(name);
        if began.elapsed() > MAX_PAUSE {
            pause = FIRST_PAUSE;
        }
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(pause) => {}
        }
        pause = (pause * 2).min(MAX_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn a_loop_that_panics_or_ends_is_begun_again_until_it_is_told_to_stop() {
        let (stop, stopped) = watch::channel(false);
        let starts = AtomicU32::new(0);
        supervise("a test's", stopped, || async {
            match starts.fetch_add(1, Ordering::SeqCst) {
                0 => panic!("a mistake"),
                1 => {}
                _ => {
                    let _ = stop.send(true);
                }
            }
        })
        .await;
        assert_eq!(starts.load(Ordering::SeqCst), 3);
    }
}
