//! The metrics of the process: counters, gauges and histograms. No label identifies a person.

use std::sync::LazyLock;
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

/// Content type of [`render`]'s text.
pub const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

static METRICS: LazyLock<Metrics> = LazyLock::new(Metrics::new);

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RequestLabels {
    method: &'static str,
    /// The route's pattern, because a path itself may identify a person.
    route: String,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Worked {
    task: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Paid {
    status: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct QueueLabels {
    queue: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct TaskLabel {
    task: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Collected {
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct TurnedAway {
    how: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct NameLabel {
    node: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct InLoop {
    name: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct InTable {
    table: &'static str,
}

/// A gauge that is left out until its value is known.
type KnownGauge = Family<[(&'static str, &'static str); 0], Gauge>;

struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Histogram, fn() -> Histogram>,
    commits: Histogram,
    writes: Counter,
    reopened: Counter,
    free: KnownGauge,
    min_free: KnownGauge,
    store_size: KnownGauge,
    clock_wrong: Gauge,
    work: Family<Worked, Counter>,
    late: Family<QueueLabels, Gauge>,
    failing: Family<QueueLabels, Gauge>,
    set_aside: Family<TaskLabel, Gauge>,
    rows_unreadable: Family<InTable, Counter>,
    loops_restarted: Family<InLoop, Counter>,
    payments: Family<Paid, Counter>,
    collections: Family<Collected, Counter>,
    connections: Gauge,
    turned_away: Family<TurnedAway, Counter>,
    bodies: Gauge,
    blob_store_up: Gauge,
    node: Family<NameLabel, Gauge>,
    nodes: Gauge,
    backup_age: Gauge,
    held: Gauge,
}

/// Returns a histogram from a tenth of a millisecond to nearly a minute. Each bucket is three times the
/// previous one.
fn times() -> Histogram {
    Histogram::new(exponential_buckets(0.0001, 3.0, 13))
}

impl Metrics {
    fn new() -> Self {
        let mut registry = Registry::with_prefix("layby");
        let requests = Family::new_with_constructor(times as fn() -> Histogram);
        let (commits, writes) = (times(), Counter::default());
        let (reopened, free) = (Counter::default(), KnownGauge::default());
        let (work, late) = (Family::default(), Family::default());
        let (rows_unreadable, payments) = (Family::default(), Family::default());
        let (connections, turned_away) = (Gauge::default(), Family::default());
        let bodies = Gauge::default();
        let build_info = Family::<Vec<(&str, &str)>, Gauge>::default();
        let version = ("version", env!("CARGO_PKG_VERSION"));
        build_info.get_or_create(&vec![version]).set(1);
        registry.register("build", "Which layby this is", build_info);
        let seconds = Unit::Seconds;
        let help = "How long requests took to answer";
        registry.register_with_unit("request", help, seconds.clone(), requests.clone());
        let help = "How long batches of writes took to reach the disk";
        registry.register_with_unit("store_commit", help, seconds.clone(), commits.clone());
        registry.register("store_writes", "Writes to the store", writes.clone());
        let help = "How often the store was opened again after the disk had failed";
        registry.register("store_reopens", help, reopened.clone());
        let help = "What is free on the disk of the data folder";
        registry.register_with_unit("disk_free", help, Unit::Bytes, free.clone());
        let (min_free, store_size) = (KnownGauge::default(), KnownGauge::default());
        let help = "What must stay free on the disk of the data folder: server.min_free_disk";
        registry.register_with_unit("disk_min_free", help, Unit::Bytes, min_free.clone());
        let help = "The size of the store's file";
        registry.register_with_unit("store", help, Unit::Bytes, store_size.clone());
        let clock_wrong = Gauge::default();
        let help =
            "Whether the clock contradicts the store, so that nothing is written and no job runs";
        registry.register("clock_wrong", help, clock_wrong.clone());
        registry.register("jobs", "Jobs that were tried", work.clone());
        let help = "How long the oldest due job has been waiting";
        registry.register_with_unit("job_queue_lag", help, seconds, late.clone());
        let (failing, set_aside) = (Family::default(), Family::default());
        let help = "Jobs that wait for their next try after a failure";
        registry.register("work_failing", help, failing.clone());
        let help = "Jobs that were set aside, and wait for an operator";
        registry.register("work_set_aside", help, set_aside.clone());
        let help =
            "Rows that can't be read or that fail in the daily round, each counted once a day";
        registry.register("rows_unreadable", help, rows_unreadable.clone());
        let loops_restarted = Family::default();
        let help = "Background loops that were begun again";
        registry.register("loops_restarted", help, loops_restarted.clone());
        let help = "Payments that moved on, by what became of them";
        registry.register("payments", help, payments.clone());
        let collections = Family::<Collected, Counter>::default();
        let help = "Payments of monthly plans that were collected or failed";
        registry.register("collections", help, collections.clone());
        for outcome in ["failed", "paid"] {
            collections.get_or_create(&Collected { outcome }).inc_by(0);
        }
        registry.register("connections", "Open connections", connections.clone());
        let help = "Connections for which there was no room";
        registry.register("connections_rejected", help, turned_away.clone());
        let help = "What is held of bodies that are being read";
        registry.register_with_unit("request_body", help, Unit::Bytes, bodies.clone());
        let blob_store_up = Gauge::<i64>::default();
        blob_store_up.set(1);
        let help = "Whether the blob store of the documents can be used";
        registry.register("blob_store_up", help, blob_store_up.clone());
        let (node, nodes) = (Family::default(), Gauge::<i64>::default());
        let help = "Which of the shops that serve one store this is";
        registry.register("node", help, node.clone());
        registry.register("nodes", "Shops that serve the store", nodes.clone());
        nodes.set(1);
        let (backup_age, held) = (Gauge::default(), Gauge::default());
        let help = "Age of the newest good backup, or of the shop without one";
        registry.register_with_unit("backup_age", help, Unit::Seconds, backup_age.clone());
        let help = "Whether the shop is held after a restore";
        registry.register("held", help, held.clone());
        Self {
            registry,
            requests,
            commits,
            writes,
            reopened,
            free,
            min_free,
            store_size,
            clock_wrong,
            work,
            late,
            failing,
            set_aside,
            rows_unreadable,
            loops_restarted,
            payments,
            collections,
            connections,
            turned_away,
            bodies,
            blob_store_up,
            node,
            nodes,
            backup_age,
            held,
        }
    }
}

/// Counts a request and records its duration.
pub fn count_request(method: &'static str, route: &str, status: u16, took: Duration) {
    let labels = RequestLabels {
        method,
        route: route.to_owned(),
        status,
    };
    let requests = &METRICS.requests;
    requests.get_or_create(&labels).observe(took.as_secs_f64());
}

/// Records a batch of `writes` that has reached the disk.
pub fn committed(writes: u64, took: Duration) {
    METRICS.commits.observe(took.as_secs_f64());
    METRICS.writes.inc_by(writes);
}

/// Counts that the store was opened again after the disk had failed.
pub fn reopened() {
    METRICS.reopened.inc();
}

/// Records the free bytes of the disk, and how many of them must stay free.
pub fn set_free_bytes(bytes: u64, min_free: u64) {
    set_bytes(&METRICS.free, bytes);
    set_bytes(&METRICS.min_free, min_free);
}

/// Records the size of the store's file.
pub fn set_store_bytes(bytes: u64) {
    set_bytes(&METRICS.store_size, bytes);
}

fn set_bytes(gauge: &KnownGauge, bytes: u64) {
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    gauge.get_or_create(&[]).set(bytes);
}

/// Records whether the clock contradicts the store.
pub fn set_clock_wrong(is_wrong: bool) {
    METRICS.clock_wrong.set(i64::from(is_wrong));
}

/// Counts a job that was tried. `outcome` is "done", "again" (more work remains), "postponed", "failed" or
/// "set aside".
pub fn count_job(task: &'static str, outcome: &'static str) {
    METRICS.work.get_or_create(&Worked { task, outcome }).inc();
}

/// Records how long the oldest due job of a queue has waited, and how many of its jobs failed at their last
/// try.
pub fn set_queue(queue: &'static str, lag_seconds: u64, failing: usize) {
    let set = |gauges: &Family<QueueLabels, Gauge>, value: Result<i64, _>| {
        let gauge = gauges.get_or_create(&QueueLabels { queue });
        gauge.set(value.unwrap_or(i64::MAX));
    };
    set(&METRICS.late, i64::try_from(lag_seconds));
    set(&METRICS.failing, i64::try_from(failing));
}

/// Records how many jobs were set aside, by task.
pub fn set_work_set_aside(counts: impl IntoIterator<Item = (&'static str, i64)>) {
    METRICS.set_aside.clear();
    for (task, count) in counts {
        METRICS
            .set_aside
            .get_or_create(&TaskLabel { task })
            .set(count);
    }
}

/// Forgets the metrics of the queues, because the store can't be read.
pub fn forget_queues() {
    METRICS.late.clear();
    METRICS.failing.clear();
    METRICS.set_aside.clear();
}

/// Begins to count the unreadable rows of a table at zero.
pub fn add_table(table: &'static str) {
    let rows = &METRICS.rows_unreadable;
    rows.get_or_create(&InTable { table }).inc_by(0);
}

/// Begins to count the restarts of the background loop `name` at zero.
pub fn add_loop(name: &'static str) {
    let loops = &METRICS.loops_restarted;
    loops.get_or_create(&InLoop { name }).inc_by(0);
}

/// Counts a row of a table that can't be read or that fails in the daily round.
pub fn row_unreadable(table: &'static str) {
    let rows = &METRICS.rows_unreadable;
    rows.get_or_create(&InTable { table }).inc();
}

/// Counts a restart of the background loop `name`.
pub fn loop_restarted(name: &'static str) {
    let loops = &METRICS.loops_restarted;
    loops.get_or_create(&InLoop { name }).inc();
}

/// Counts a payment that changed to `status`.
pub fn paid(status: &'static str) {
    METRICS.payments.get_or_create(&Paid { status }).inc();
}

/// Counts a payment of a monthly plan. `outcome` is "paid" or "failed".
pub fn count_collection(outcome: &'static str) {
    let collections = &METRICS.collections;
    collections.get_or_create(&Collected { outcome }).inc();
}

/// Adds to the number of open connections. A negative number subtracts.
pub fn add_to_connections(number: i64) {
    METRICS.connections.inc_by(number);
}

/// Counts a connection that was "closed" to free its slot, or "refused".
pub fn count_rejected_connection(how: &'static str) {
    let turned_away = &METRICS.turned_away;
    turned_away.get_or_create(&TurnedAway { how }).inc();
}

/// Adds to the bytes held for bodies that are being read. A negative number subtracts.
pub fn add_to_bodies(bytes: i64) {
    METRICS.bodies.inc_by(bytes);
}

/// Records whether the blob store was available at its last call.
pub fn set_blob_store_up(is_up: bool) {
    METRICS.blob_store_up.set(i64::from(is_up));
}

/// Records that this is shop `node` of `nodes` shops that serve one store.
pub fn nodes(node: &str, nodes: u32) {
    let node = node.to_owned();
    METRICS.node.get_or_create(&NameLabel { node }).set(1);
    METRICS.nodes.set(i64::from(nodes));
}

/// Records the age of the newest good backup.
pub fn set_backup_age(seconds: i64) {
    METRICS.backup_age.set(seconds);
}

/// Records whether the shop is held after a restore.
pub fn set_held(is_held: bool) {
    METRICS.held.set(i64::from(is_held));
}

/// Returns all metrics as OpenMetrics text.
///
/// # Errors
/// Fails if a metric can't be written.
pub fn render() -> Result<String, std::fmt::Error> {
    let mut all = String::with_capacity(16 << 10);
    text::encode(&mut all, &METRICS.registry)?;
    // The encoder writes braces for an empty set of labels.
    Ok(all.replace("{} ", " "))
}
