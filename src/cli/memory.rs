//! The memory that this process may use: the machine's memory, or a lower limit of a control group.

use std::fs;
use std::path::Path;

/// The divisor of the memory: the store's cache may use at most an eighth.
const CACHE_PART: u64 = 8;

/// Limits the store's cache to its part of the memory. An unknown amount of memory sets no limit.
pub(super) fn limit_cache(cache: usize, memory: Option<u64>) -> usize {
    let part = memory.and_then(|bytes| usize::try_from(bytes / CACHE_PART).ok());
    part.map_or(cache, |part| cache.min(part))
}

/// Returns the machine's memory in bytes, or the smallest limit of this process's control groups if that
/// limit is lower. Reads control groups of version 1 and 2. `root` is the root of the file system. Returns
/// `None` on systems other than Linux, which do not report these figures.
pub(super) fn memory_bytes(root: &Path) -> Option<u64> {
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap_or_default();
    let machine = total_bytes(&read("proc/meminfo"));
    let groups = read("proc/self/cgroup");
    let limits = groups.lines().flat_map(|line| group_limits(root, line));
    machine.into_iter().chain(limits).min()
}

/// Returns the bytes of a line such as `MemTotal:       24684236 kB`.
fn total_bytes(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1 << 10)
}

/// Returns the limits of a control group and of the groups above it. `line` is from `/proc/self/cgroup`:
/// `0::/shop` in version 2, `4:memory:/shop` in version 1. A container may see its own group as the root
/// group.
fn group_limits(root: &Path, line: &str) -> Vec<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(group)) = (parts.next(), parts.next()) else {
        return Vec::new();
    };
    let (mount, file) = if controllers.is_empty() {
        ("sys/fs/cgroup", "memory.max")
    } else if controllers.split(',').any(|name| name == "memory") {
        ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
    } else {
        return Vec::new();
    };
    let group = Path::new(group.trim_start_matches('/'));
    let limit = |group: &Path| {
        let text = fs::read_to_string(root.join(mount).join(group).join(file)).ok()?;
        text.trim().parse().ok()
    };
    group.ancestors().filter_map(limit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the memory of a machine with 8 GiB and the extra `files`.
    fn machine(files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().unwrap();
        let meminfo = (
            "proc/meminfo",
            "MemTotal:        8388608 kB\nMemFree: 1 kB\n",
        );
        for (path, text) in files.iter().chain([&meminfo]) {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        memory_bytes(root.path())
    }

    #[test]
    fn memory_is_the_machines_or_the_smallest_limit_of_a_control_group() {
        assert_eq!(machine(&[]), Some(8 << 30));
        let version_2 = ("proc/self/cgroup", "0::/shops/one\n");
        let above = ("sys/fs/cgroup/shops/memory.max", "536870912\n");
        let own = ("sys/fs/cgroup/shops/one/memory.max", "max\n");
        assert_eq!(machine(&[version_2, own]), Some(8 << 30));
        assert_eq!(machine(&[version_2, own, above]), Some(512 << 20));
        // A container with its own namespace finds its group at the root.
        let as_root = [
            ("proc/self/cgroup", "0::/\n"),
            ("sys/fs/cgroup/memory.max", "1073741824\n"),
        ];
        assert_eq!(machine(&as_root), Some(1 << 30));
        let version_1 = (
            "proc/self/cgroup",
            "5:cpu,cpuacct:/\n4:hugetlb,memory:/docker/0f\n0::/\n",
        );
        let unlimited = (
            "sys/fs/cgroup/memory/docker/0f/memory.limit_in_bytes",
            "9223372036854771712\n",
        );
        assert_eq!(machine(&[version_1, unlimited]), Some(8 << 30));
        let limit = ("sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n");
        assert_eq!(machine(&[version_1, limit]), Some(256 << 20));
        assert_eq!(memory_bytes(Path::new("/nowhere")), None);
    }

    #[test]
    fn the_cache_is_what_is_set_and_at_most_an_eighth_of_the_memory() {
        let set = 128 << 20;
        assert_eq!(limit_cache(set, Some(8 << 30)), set);
        assert_eq!(limit_cache(set, Some(1 << 30)), set);
        assert_eq!(limit_cache(set, Some(512 << 20)), 64 << 20);
        assert_eq!(limit_cache(1 << 40, Some(8 << 30)), 1 << 30);
        assert_eq!(limit_cache(set, None), set);
    }
}
