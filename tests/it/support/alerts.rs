//! Reads the alert rules of docs/alerts.yml and evaluates their expressions over two reads of `/metrics`.

use std::collections::BTreeMap;

type Labels = BTreeMap<String, String>;
/// The values of one expression by their labels.
type Vector = Vec<(Labels, f64)>;

/// An alert and its expression.
pub struct Rule {
    pub name: String,
    pub expression: String,
}

/// Returns every rule of the file, and fails at a line that is no part of a rule.
pub fn rules() -> Vec<Rule> {
    let text = include_str!("../../../docs/alerts.yml");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut lines = lines.skip_while(|line| line.trim() != "rules:").skip(1);
    let mut rules = Vec::new();
    while let Some(line) = lines.next() {
        let name = line.trim().strip_prefix("- alert: ").expect(line);
        let line = lines.next().unwrap().trim();
        let expression = line.strip_prefix("expr: ").expect(line);
        let mut line = lines.next().unwrap().trim();
        if let Some(wait) = line.strip_prefix("for: ") {
            assert!(wait.ends_with(['m', 'h']), "{wait}");
            wait[..wait.len() - 1].parse::<u32>().unwrap();
            line = lines.next().unwrap().trim();
        }
        assert_eq!(line, "annotations:", "{name}");
        assert!(
            lines.next().unwrap().trim().starts_with("summary: "),
            "{name}"
        );
        rules.push(Rule {
            name: name.to_string(),
            expression: expression.to_string(),
        });
    }
    rules
}

/// Two reads of `/metrics`. `up` is 0 if the second one failed.
pub struct Reads {
    before: BTreeMap<String, Vector>,
    now: BTreeMap<String, Vector>,
}

impl Reads {
    pub fn new(before: &str, now: Option<&str>) -> Self {
        let mut now_series = series(now.unwrap_or_default());
        let job = Labels::from([("job".to_string(), "layby".to_string())]);
        let is_up = f64::from(u8::from(now.is_some()));
        now_series.insert("up".to_string(), vec![(job, is_up)]);
        Self {
            before: series(before),
            now: now_series,
        }
    }

    /// Returns the names of the alerts that fire.
    pub fn alerts(&self) -> Vec<String> {
        let rules = rules().into_iter();
        let firing = rules.filter(|rule| {
            let mut conditions = rule.expression.split(" and ");
            conditions.all(|condition| !self.compare(condition).is_empty())
        });
        firing.map(|rule| rule.name).collect()
    }

    fn compare(&self, condition: &str) -> Vector {
        let (left, sign, right) = if let Some((left, right)) = condition.split_once(" > ") {
            (left, 1.0, right)
        } else {
            let (left, right) = condition.split_once(" < ").expect(condition);
            (left, -1.0, right)
        };
        let (left, right) = (self.value(left), self.value(right));
        let holds = |labels: &Labels, value: f64| {
            let same = |other: &&(Labels, f64)| other.0 == *labels || right.len() == 1;
            let limit = right.iter().find(same);
            limit.is_some_and(|(_, limit)| value * sign > limit * sign)
        };
        left.into_iter()
            .filter(|(labels, value)| holds(labels, *value))
            .collect()
    }

    fn value(&self, term: &str) -> Vector {
        if let Ok(number) = term.parse() {
            return vec![(Labels::new(), number)];
        }
        if let Some((factor, rest)) = term.split_once(" * ") {
            let factor: f64 = factor.parse().unwrap();
            let scaled = self.value(rest).into_iter();
            return scaled
                .map(|(labels, value)| (labels, value * factor))
                .collect();
        }
        let inner = |name: &str, end: &str| term.strip_prefix(name)?.strip_suffix(end);
        if let Some(all) = inner("sum(", ")") {
            let sum = self.value(all).iter().map(|(_, value)| value).sum();
            return vec![(Labels::new(), sum)];
        }
        if let Some(range) = inner("increase(", "h])") {
            let (selector, hours) = range.rsplit_once('[').unwrap();
            hours.parse::<u32>().unwrap();
            // A series that did not exist before has no increase.
            let before: BTreeMap<_, _> = select(&self.before, selector).into_iter().collect();
            let now = select(&self.now, selector).into_iter();
            let grown = now.filter_map(|(labels, value)| {
                let increase = value - before.get(&labels)?;
                Some((labels, increase))
            });
            return grown.collect();
        }
        select(&self.now, term)
    }
}

/// Returns the series of a selector such as `name{label="value",other!="value"}`.
fn select(all: &BTreeMap<String, Vector>, selector: &str) -> Vector {
    let (name, matchers) = selector.split_once('{').unwrap_or((selector, "}"));
    let matchers = matchers.strip_suffix('}').expect(selector);
    let mut found = all.get(name).cloned().unwrap_or_default();
    for matcher in matchers.split(',').filter(|matcher| !matcher.is_empty()) {
        let (label, value) = matcher.split_once('=').unwrap();
        let value = value.trim_matches('"');
        found.retain(|(labels, _)| match label.strip_suffix('!') {
            Some(label) => labels.get(label).is_none_or(|own| own != value),
            None => labels.get(label).is_some_and(|own| own == value),
        });
    }
    found
}

/// Parses the text of `/metrics`.
fn series(text: &str) -> BTreeMap<String, Vector> {
    let mut all: BTreeMap<String, Vector> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (series, value) = line.rsplit_once(' ').unwrap();
        let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
        let labels = labels.trim_end_matches('}').split("\",");
        let labels = labels.filter_map(|label| label.split_once('='));
        let labels =
            labels.map(|(name, value)| (name.to_string(), value.trim_matches('"').to_string()));
        let entry = (labels.collect(), value.parse().unwrap());
        all.entry(name.to_string()).or_default().push(entry);
    }
    all
}
