//! `layby seed`.

use std::sync::Arc;

use clap::Args;

use super::preflight;
use super::print::{print, print_line};
use super::setup::{self, CommandError};
use crate::app::seed::{self, Plan};
use crate::app::{App, BlobStore};
use crate::config::{Config, WebOrigin};

/// Fills a store with invented people, quotes and policies.
#[derive(Args)]
pub(super) struct Seed {
    /// Number of customers.
    #[arg(long, default_value_t = Plan::default().customers)]
    customers: u32,
    /// Number of quotes and policies to add.
    #[arg(long, default_value_t = Plan::default().policies)]
    policies: u32,
    /// The seed of the random choices. In an empty store, the same number at the same time makes the same
    /// data.
    #[arg(long, default_value_t = Plan::default().seed_number)]
    seed_number: u64,
    /// Also fills a store that has real data.
    #[arg(long)]
    force: bool,
}

impl Seed {
    pub(super) fn run(self, config: Config) -> Result<(), CommandError> {
        refuse_production(&config)?;
        let catalogue = preflight::load_products(&config)?;
        let store = setup::open_store(&config)?;
        let contents = BlobStore::from_settings(&config)?;
        let plan = Plan {
            customers: self.customers,
            policies: self.policies,
            seed_number: self.seed_number,
        };
        setup::runtime()?.block_on(async move {
            let local = WebOrigin::from_socket(config.server.listen)
                .as_str()
                .to_string();
            let public = config.server.public_origin(config.server.listen);
            let public = public.as_str().to_string();
            let clock = config.clock();
            let app = App::new(config, store, contents, clock, catalogue, public, local).await?;
            let app = Arc::new(app);
            if !self.force && !seed::holds_only_demonstration_data(&app.store).await? {
                return Err(
                    "the store holds real data; give --force to add demonstration data to it"
                        .into(),
                );
            }
            fill(&app, &plan).await
        })
    }
}

/// Refuses a shop in production mode, because the password of the demonstration log-ins is public.
pub(super) fn refuse_production(config: &Config) -> Result<(), CommandError> {
    if config.is_production() {
        return Err("demonstration data has no place in a shop in production mode".into());
    }
    Ok(())
}

/// Creates the missing quotes and policies of the default plan, and prints the log-ins.
pub(super) async fn complete(app: &Arc<App>) -> Result<(), CommandError> {
    let mut plan = Plan::default();
    plan.policies = plan
        .policies
        .saturating_sub(seed::count_seeded(&app.store).await?);
    fill(app, &plan).await
}

/// Fills the store, reports progress on standard error, and prints the log-ins.
pub(super) async fn fill(app: &Arc<App>, plan: &Plan) -> Result<(), CommandError> {
    let logins = crate::app::seed::fill(app, plan, &mut |done, total| {
        let line = format!("seeded {done} of {total} quotes and policies");
        print(std::io::stderr(), &line);
    })
    .await?;
    let password = logins.password;
    print_line(format!(
        "demonstration log-ins, all with the password {password}:"
    ));
    for address in &logins.addresses {
        print_line(format!("  {address}"));
    }
    Ok(())
}
