//! The `layby` command.

fn main() -> std::process::ExitCode {
    layby::cli::run()
}
