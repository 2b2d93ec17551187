//! Doing what is asked. This is a thread that may wait; what is async is waited for with
//! `tokio::runtime::Handle::current().block_on`.

use std::ops::ControlFlow;

use super::order::{Line, Order};
use crate::app::App;
use crate::app::books::unresolved::{self, Unresolved};
use crate::app::books::{reconcile, resolve};
use crate::app::check::{self, Documents, Report};
use crate::app::mail::outbox;
use crate::app::products::check_versions;
use crate::app::resume;

/// Does it; `say` tells who asked, and whether they still want to hear it. The error is one sentence.
pub(super) fn perform(
    app: &App,
    order: &Order,
    say: &mut dyn FnMut(Line) -> ControlFlow<()>,
) -> Result<(), String> {
    match order {
        Order::Check => {
            let runtime = tokio::runtime::Handle::current();
            let documents = Some(Documents {
                contents: &app.contents,
                runtime: &runtime,
            });
            let checked = check::running(&app.store, documents, &mut |report| {
                say(match report {
                    Report::Progress(text) => Line::Progress(text),
                    Report::Says(text) => Line::Says(text),
                })
            });
            checked.map_err(|error| error.to_string())
        }
        Order::Mail { mail } => {
            let hear = &mut |line| say(Line::Says(line));
            let done = outbox::perform(&app.store, mail, app.clock.now(), hear);
            let done = tokio::runtime::Handle::current().block_on(done);
            done.map_err(|error| error.log_text())
        }
        Order::Reconcile { reconciliation } => {
            let hear = &mut |line| say(Line::Says(line));
            let done = reconcile::perform(&app.store, reconciliation, app.clock.now(), hear);
            let done = tokio::runtime::Handle::current().block_on(done);
            done.map_err(|error| error.to_string())
        }
        Order::Resolve { resolution } => {
            let hear = &mut |line| say(Line::Says(line));
            let done = resolve::perform(&app.store, resolution, app.clock.now(), hear);
            let done = tokio::runtime::Handle::current().block_on(done);
            app.work_added.notify_one();
            done.map_err(|error| error.log_text())
        }
        Order::Products { hashes } => {
            let done = app.store.read(|tx| check_versions(tx, hashes));
            let done = tokio::runtime::Handle::current().block_on(done);
            done.map_err(|error| error.log_text())
        }
        Order::ResumeClock => {
            let done = resume::confirm_clock(&app.store, app.clock.now());
            let line = tokio::runtime::Handle::current().block_on(done);
            let line = line.map_err(|error| error.log_text())?;
            let _ = say(Line::Says(line));
            app.work_added.notify_one();
            Ok(())
        }
        Order::Unresolved => {
            let hear = &mut |row: Unresolved| match serde_json::to_string(&row) {
                Ok(row) => say(Line::Says(row)),
                Err(_) => ControlFlow::Break(()),
            };
            let done = unresolved::rows(&app.store, app.clock.now(), hear);
            let done = tokio::runtime::Handle::current().block_on(done);
            done.map_err(|error| error.log_text())
        }
    }
}
