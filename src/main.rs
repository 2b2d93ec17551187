//! The `layby` command.

/// A request makes hundreds of small allocations. This allocator is much faster at them than the
/// system's (docs/PERFORMANCE.md).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    layby::cli::run()
}
