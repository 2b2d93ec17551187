//! Counts how much each client holds of something that all of them share.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What each client holds; a client is a network, see [`crate::config::client_network`].
pub(in crate::api) struct Shares {
    of_one: usize,
    held: Mutex<HashMap<IpAddr, usize>>,
}

/// What one client holds once. The client gives it back when this is dropped.
pub(in crate::api) struct Share {
    shares: Arc<Shares>,
    client: IpAddr,
    amount: usize,
}

impl Shares {
    /// Shares of at most `of_one` for each client.
    pub(in crate::api) fn new(of_one: usize) -> Arc<Self> {
        let held = Mutex::default();
        Arc::new(Self { of_one, held })
    }

    /// Returns `None` if the client would hold too much.
    pub(in crate::api) fn take(self: &Arc<Self>, client: IpAddr, amount: usize) -> Option<Share> {
        let mut held = self.held();
        let known = held.get(&client).copied().unwrap_or_default();
        let wanted = known.checked_add(amount)?;
        if wanted > self.of_one {
            return None;
        }
        held.insert(client, wanted);
        Some(Share {
            shares: self.clone(),
            client,
            amount,
        })
    }

    fn held(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    /// Whether its client holds all that one client may.
    pub(in crate::api) fn is_last(&self) -> bool {
        let held = self.shares.held();
        held.get(&self.client)
            .is_some_and(|held| *held >= self.shares.of_one)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut held = self.shares.held();
        if let Some(known) = held.get_mut(&self.client) {
            *known = known.saturating_sub(self.amount);
            if *known == 0 {
                held.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_holds_so_much_and_gives_it_back() {
        let shares = Shares::new(100);
        let [one, other] = [1, 2].map(|last| IpAddr::from([10, 0, 0, last]));
        let first = shares.take(one, 60).unwrap();
        assert!(!first.is_last());
        let second = shares.take(one, 40).unwrap();
        assert!(first.is_last() && shares.take(one, 1).is_none());
        assert!(shares.take(one, usize::MAX).is_none());
        let third = shares.take(other, 100);
        assert!(third.is_some());
        drop(second);
        assert!(shares.take(one, 41).is_none() && shares.take(one, 40).is_some());
        drop((first, third));
        assert!(shares.held().is_empty(), "no client is remembered");
    }
}
