//! Counts how much each client holds of a shared resource.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The amount that each client holds. A client is a network, see [`crate::config::client_network`].
pub(in crate::api) struct ClientShares {
    limit: usize,
    amounts: Mutex<HashMap<IpAddr, usize>>,
}

/// One amount that a client holds. Dropping this value subtracts the amount.
pub(in crate::api) struct ClientShare {
    shares: Arc<ClientShares>,
    client: IpAddr,
    amount: usize,
}

impl ClientShares {
    /// Creates shares of at most `limit` for each client.
    pub(in crate::api) fn new(limit: usize) -> Arc<Self> {
        let amounts = Mutex::default();
        Arc::new(Self { limit, amounts })
    }

    /// Adds `amount` to the client's share. Returns `None` if the client would exceed its limit.
    pub(in crate::api) fn acquire(
        self: &Arc<Self>,
        client: IpAddr,
        amount: usize,
    ) -> Option<ClientShare> {
        let mut amounts = self.lock();
        let amount_held = amounts.get(&client).copied().unwrap_or_default();
        let new_amount = amount_held.checked_add(amount)?;
        if new_amount > self.limit {
            return None;
        }
        amounts.insert(client, new_amount);
        Some(ClientShare {
            shares: self.clone(),
            client,
            amount,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.amounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ClientShare {
    /// Checks whether the client has reached its limit.
    pub(in crate::api) fn is_last(&self) -> bool {
        let amounts = self.shares.lock();
        amounts
            .get(&self.client)
            .is_some_and(|amount| *amount >= self.shares.limit)
    }
}

impl Drop for ClientShare {
    fn drop(&mut self) {
        let mut amounts = self.shares.lock();
        if let Some(amount_held) = amounts.get_mut(&self.client) {
            *amount_held = amount_held.saturating_sub(self.amount);
            if *amount_held == 0 {
                amounts.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_holds_so_much_and_gives_it_back() {
        let shares = ClientShares::new(100);
        let [one, other] = [1, 2].map(|last| IpAddr::from([10, 0, 0, last]));
        let first = shares.acquire(one, 60).unwrap();
        assert!(!first.is_last());
        let second = shares.acquire(one, 40).unwrap();
        assert!(first.is_last() && shares.acquire(one, 1).is_none());
        assert!(shares.acquire(one, usize::MAX).is_none());
        let third = shares.acquire(other, 100);
        assert!(third.is_some());
        drop(second);
        assert!(shares.acquire(one, 41).is_none() && shares.acquire(one, 40).is_some());
        drop((first, third));
        assert!(shares.lock().is_empty(), "no client is remembered");
    }
}
