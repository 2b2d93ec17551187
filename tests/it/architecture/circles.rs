//! Circles of files inside a room: files that name one another's items, directly or by way of
//! others. An arrow is a path to an item that another file of the room defines. Re-exports are
//! followed to where the item is, `mod x;` is no arrow, and what is compiled for tests only
//! doesn't count.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};

use super::tree::{ModulePath, Source, Tree, is_for_tests, leaves};

/// Which files each file of a room names, and the paths by which it does.
type Arrows = BTreeMap<usize, BTreeMap<usize, BTreeSet<String>>>;

/// Every circle in a room: a line for each, and under it the arrows that tie it.
pub fn circles(tree: &Tree, room: &str) -> Vec<String> {
    let arrows = arrows(tree, room);
    let reached: BTreeMap<usize, BTreeSet<usize>> = arrows
        .keys()
        .map(|from| (*from, reach(&arrows, *from)))
        .collect();
    let both = |a: &usize, b: &usize| reached[a].contains(b) && reached[b].contains(a);
    let mut met = BTreeSet::new();
    let mut found = Vec::new();
    for file in arrows.keys() {
        let circle: Vec<usize> = arrows
            .keys()
            .copied()
            .filter(|other| both(file, other))
            .collect();
        if circle.len() < 2 || !met.insert(circle.clone()) {
            continue;
        }
        let name = |file: &usize| tree.files[*file].name.as_str();
        let names: Vec<&str> = circle.iter().map(name).collect();
        let mut lines = vec![format!(
            "these {} files form a circle: {}",
            circle.len(),
            names.join(", ")
        )];
        for from in &circle {
            for (to, paths) in arrows[from].iter().filter(|(to, _)| circle.contains(to)) {
                let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
                lines.push(format!(
                    "  {} -> {}: {}",
                    name(from),
                    name(to),
                    paths.join(", ")
                ));
            }
        }
        found.push(lines.join("\n"));
    }
    found
}

fn arrows(tree: &Tree, room: &str) -> Arrows {
    let mut arrows = Arrows::new();
    for (number, source) in tree.files.iter().enumerate() {
        if source.room() != room {
            continue;
        }
        let named = arrows.entry(number).or_default();
        for (module, path) in paths(source) {
            let Some(file) = tree.file_of(&module, &path) else {
                continue;
            };
            if file != number && tree.files[file].room() == room {
                named.entry(file).or_default().insert(path.join("::"));
            }
        }
    }
    arrows
}

/// The files that can be reached from one along the arrows.
fn reach(arrows: &Arrows, from: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for next in arrows.get(&file).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(*next) {
                open.push(*next);
            }
        }
    }
    reached
}

/// Every path that a file names, with the module it is named in.
fn paths(source: &Source) -> Vec<(ModulePath, Vec<String>)> {
    let mut walk = Walk {
        module: source.module.clone(),
        found: Vec::new(),
    };
    for item in &source.items {
        walk.visit_item(item);
    }
    walk.found
}

struct Walk {
    module: ModulePath,
    found: Vec<(ModulePath, Vec<String>)>,
}

impl Walk {
    fn note(&mut self, path: Vec<String>) {
        self.found.push((self.module.clone(), path));
    }
}

impl<'ast> Visit<'ast> for Walk {
    fn visit_item_mod(&mut self, inner: &'ast syn::ItemMod) {
        if is_for_tests(&inner.attrs) {
            return;
        }
        self.module.push(inner.ident.to_string());
        visit::visit_item_mod(self, inner);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        leaves(&item.tree, &mut Vec::new(), &mut |path, _| self.note(path));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter();
        self.note(segments.map(|part| part.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    /// What a macro is given is no syntax tree: paths are read from its words.
    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.visit_path(&called.path);
        let text = called.tokens.to_string();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        for group in text.split(|c: char| !(is_word(c) || c == ':' || c == ' ')) {
            let joined = group.replace(" :: ", "::");
            for word in joined.split(|c: char| !(is_word(c) || c == ':')) {
                let path: Vec<String> = word.split("::").map(str::to_owned).collect();
                if path
                    .iter()
                    .all(|part| !part.is_empty() && part.chars().all(is_word))
                {
                    self.note(path);
                }
            }
        }
    }
}
