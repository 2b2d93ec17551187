//! The `layby` command.

/// A request makes hundreds of small allocations. This allocator makes them much faster than the
/// system's allocator (docs/PERFORMANCE.md).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    layby::cli::run()
}
