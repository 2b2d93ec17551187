//! The tasks of a running shop, which must not end by themselves.

use tokio::task::JoinHandle;

use super::setup::CommandError;

/// Waits until one of the tasks ends by itself, and returns the error. Without the listener or the background
/// loops, the shop does not work, so the process must end. A process supervisor can then restart the process.
pub(super) async fn first_end<T>(
    listener: &mut JoinHandle<T>,
    loops: &mut JoinHandle<()>,
) -> CommandError {
    let name = tokio::select! {
        _ = listener => "the listener",
        _ = loops => "the background loops",
    };
    format!("{name} ended by mistake: the log says why").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_listener_or_loops_that_end_by_themselves_end_the_process_with_a_sentence() {
        let for_ever = || tokio::spawn(std::future::pending::<()>());
        let broken = || tokio::spawn(async { panic!("a mistake") });
        for (mut listener, mut loops, name) in [
            (broken(), for_ever(), "the listener"),
            (for_ever(), broken(), "the background loops"),
        ] {
            let why = first_end(&mut listener, &mut loops).await.to_string();
            assert_eq!(why, format!("{name} ended by mistake: the log says why"));
        }
    }
}
