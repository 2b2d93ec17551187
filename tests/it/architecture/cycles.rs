//! Finds cycles of files inside a module: files that name one another's items, directly or through others. An
//! arrow is a path to an item of another file, or a call of a method from another file. A re-export counts as
//! its original item. `mod x;` is no arrow, and code for tests is ignored.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};

use super::methods::{Call, Methods, Receiver, type_path};
use super::tree::{ModulePath, Source, Tree, is_for_tests, leaves};

/// The files that each file of a module names, with the paths and calls that name them.
type Arrows = BTreeMap<usize, BTreeMap<usize, BTreeSet<String>>>;

/// Returns one line for each cycle in a module, with its arrows below.
pub fn cycles(tree: &Tree, module: &str) -> Vec<String> {
    let arrows = arrows(tree, module);
    let reached: BTreeMap<usize, BTreeSet<usize>> = arrows
        .keys()
        .map(|from| (*from, reach(&arrows, *from)))
        .collect();
    let both = |a: &usize, b: &usize| reached[a].contains(b) && reached[b].contains(a);
    let mut met = BTreeSet::new();
    let mut found = Vec::new();
    for file in arrows.keys() {
        let cycle: Vec<usize> = arrows
            .keys()
            .copied()
            .filter(|other| both(file, other))
            .collect();
        if cycle.len() < 2 || !met.insert(cycle.clone()) {
            continue;
        }
        let name = |file: &usize| tree.files[*file].name.as_str();
        let names: Vec<&str> = cycle.iter().map(name).collect();
        let mut lines = vec![format!(
            "these {} files form a cycle: {}",
            cycle.len(),
            names.join(", ")
        )];
        for from in &cycle {
            for (to, paths) in arrows[from].iter().filter(|(to, _)| cycle.contains(to)) {
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

fn arrows(tree: &Tree, module: &str) -> Arrows {
    let mut arrows = Arrows::new();
    let methods = Methods::of(tree);
    for (number, source) in tree.files.iter().enumerate() {
        if source.top_module() != module {
            continue;
        }
        let named = arrows.entry(number).or_default();
        let walked = walk(source);
        let mut note = |file: Option<usize>, how: String| {
            let file = file.filter(|file| *file != number);
            if let Some(file) = file.filter(|file| tree.files[*file].top_module() == module) {
                named.entry(file).or_default().insert(how);
            }
        };
        for (module, path) in walked.paths {
            note(tree.file_of(&module, &path), path.join("::"));
        }
        for call in walked.calls {
            note(methods.file_of(tree, &call), format!(".{}()", call.method));
        }
    }
    arrows
}

/// Returns the files that the arrows lead to from one file.
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

/// Returns every path that a file names, and every method that it calls.
fn walk(source: &Source) -> Walk {
    let mut walk = Walk {
        module: source.module.clone(),
        own: None,
        paths: Vec::new(),
        calls: Vec::new(),
    };
    for item in &source.items {
        walk.visit_item(item);
    }
    walk
}

struct Walk {
    /// The module of the source.
    module: ModulePath,
    /// The type of `self` and `Self`, if methods are being read.
    own: Option<Vec<String>>,
    /// Each path with the module that names it.
    paths: Vec<(ModulePath, Vec<String>)>,
    calls: Vec<Call>,
}

impl Walk {
    fn note(&mut self, path: Vec<String>) {
        if let [of @ .., method] = &path[..]
            && !of.is_empty()
        {
            let receiver = match (of, &self.own) {
                ([only], Some(own)) if only == "Self" => own.clone(),
                _ => of.to_vec(),
            };
            self.call(Receiver::Type(receiver), method.clone());
        }
        self.paths.push((self.module.clone(), path));
    }

    fn call(&mut self, receiver: Receiver, method: String) {
        self.calls.push(Call {
            module: self.module.clone(),
            receiver,
            method,
        });
    }

    /// Returns the kind of a variable or field, by its name.
    fn named(&self, name: &str) -> Receiver {
        match (name, &self.own) {
            ("self", Some(own)) => Receiver::Type(own.clone()),
            ("app", _) => Receiver::App,
            _ => Receiver::Any,
        }
    }

    fn receiver(&self, receiver: &syn::Expr) -> Receiver {
        match receiver {
            syn::Expr::Path(path) => match path.path.get_ident() {
                Some(name) => self.named(&name.to_string()),
                None => Receiver::Any,
            },
            syn::Expr::Field(field) => match &field.member {
                syn::Member::Named(name) => self.named(&name.to_string()),
                syn::Member::Unnamed(_) => Receiver::Any,
            },
            syn::Expr::Reference(inner) => self.receiver(&inner.expr),
            syn::Expr::Paren(inner) => self.receiver(&inner.expr),
            _ => Receiver::Any,
        }
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

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        let outer = std::mem::replace(&mut self.own, type_path(&block.self_ty));
        visit::visit_item_impl(self, block);
        self.own = outer;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        leaves(&item.tree, &mut Vec::new(), &mut |path, _| self.note(path));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter();
        self.note(segments.map(|part| part.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let receiver = self.receiver(&call.receiver);
        self.call(receiver, call.method.to_string());
        visit::visit_expr_method_call(self, call);
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    /// A macro's input has no syntax tree, so its tokens are read for paths and calls.
    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.visit_path(&called.path);
        let text = called.tokens.to_string();
        let text = text.replace(" . ", ".").replace(" :: ", "::");
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        for word in text.split(|c: char| !(is_word(c) || c == ':' || c == '.')) {
            let mut parts = word.split('.').rev().peekable();
            while let Some(part) = parts.next() {
                match parts.peek() {
                    Some(before) => {
                        let receiver = self.named(before);
                        self.call(receiver, part.to_owned());
                    }
                    None => {
                        let path: Vec<String> = part.split("::").map(str::to_owned).collect();
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
    }
}
