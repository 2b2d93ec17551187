//! A server in a process of its own, and statistics for turns of load on two servers.

#![allow(dead_code, reason = "each benchmark uses a part of it")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A process that listens.
pub struct Server {
    pub process: Child,
    pub address: String,
}

impl Server {
    /// Starts `command` and reads its address from the output. Returns `None` if the process ends first.
    pub fn start(command: &mut Command) -> Option<Self> {
        let process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut server = Self {
            process,
            address: String::new(),
        };
        let mut lines = BufReader::new(server.process.stdout.take().unwrap()).lines();
        server.address = lines.find_map(|line| {
            let line = line.unwrap();
            line.strip_prefix("listening on http://").map(str::to_owned)
        })?;
        // A thread reads the later lines, so that the process never waits for a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Some(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the two sides of a round. The rounds begin with each side alternately: `true` is the first
/// side.
pub fn sides(round: usize) -> [bool; 2] {
    [round.is_multiple_of(2), !round.is_multiple_of(2)]
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    f64::midpoint(values[middle - 1], values[middle])
}

/// The ratios of two sides, round by round.
pub struct Ratios(Vec<f64>);

impl Ratios {
    /// Divides `of` by `by`.
    pub fn new(of: &[f64], by: &[f64]) -> Self {
        let pairs = of.iter().zip(by);
        Self(pairs.map(|(of, by)| of / by).collect())
    }

    pub fn median(&self) -> f64 {
        median(self.0.clone())
    }

    pub fn lowest(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    pub fn highest(&self) -> f64 {
        self.0.iter().copied().fold(0.0, f64::max)
    }
}
