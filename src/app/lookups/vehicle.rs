//! Finds a vehicle by its registration.

use uuid::Uuid;

use crate::app::limits::{self, ALL, Limit};
use crate::app::{App, AppError, ClientAddress, new_id};
use crate::domain::quote::lookup::{LookupResult, Vehicle};
use crate::domain::time::dates;
use crate::domain::uk::registration;
use crate::integrations::lookup::LookupFault;
use crate::store::tables;

/// Returns a vehicle's details from the register, and the id of the copy that is stored for thirty days.
///
/// # Errors
/// [`AppError::Invalid`] for a wrong registration. [`AppError::NotFound`] if the register has no such
/// vehicle. [`AppError::TooMany`] above the limit of the client or of all clients.
/// [`AppError::LookupUnavailable`] if no service is configured, or if the service gives no useful answer.
/// [`AppError::InsufficientStorage`] while the disk is short of space.
pub async fn look_up_vehicle(
    app: &App,
    client: &ClientAddress,
    typed: &str,
) -> Result<(Uuid, Vehicle), AppError> {
    let now = app.clock.now();
    let today = dates::london_date(now);
    let mark = registration::check(typed, today)
        .map_err(|fault| AppError::field("registration", fault.text()))?;
    app.disk_space.ensure()?;
    // Logged-in customers count too, because each look-up may cost money.
    let network = client.network();
    limits::count_limits(
        app,
        &[
            (Limit::VehicleLookups, network.as_str()),
            (Limit::TotalVehicleLookups, ALL),
        ],
    )
    .await?;
    let found = app.lookups.vehicle(&mark, today).await;
    let vehicle = found.map_err(|fault| match fault {
        LookupFault::Unknown(_) => AppError::NotFound,
        LookupFault::Unavailable => AppError::LookupUnavailable,
    })?;
    let id = new_id(now);
    let result = LookupResult {
        vehicle: vehicle.clone(),
        at: now,
    };
    app.store
        .write(move |tx| {
            tables::LOOKUPS
                .put(tx, &id, &result)
                .map_err(AppError::from)
        })
        .await?;
    Ok((id, vehicle))
}
