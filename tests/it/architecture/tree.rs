//! The source files of a crate as modules: what each defines, declares and imports. Resolves a path to its
//! file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Item, UseTree};

/// A path from the crate's root, without `crate`.
pub type ModulePath = Vec<String>;

/// A source file.
pub struct Source {
    /// Path inside `src`, with `/`.
    pub name: String,
    /// The module of the file.
    pub module: ModulePath,
    /// The items, without those for tests.
    pub items: Vec<Item>,
}

impl Source {
    /// Returns the top module: the first part of the path.
    pub fn top_module(&self) -> &str {
        let first = self.name.split('/').next().unwrap_or_default();
        first.trim_end_matches(".rs")
    }
}

/// The names in a module.
#[derive(Default)]
struct Module {
    /// The index of its file.
    file: usize,
    /// Names of the items that it defines.
    defined: Vec<String>,
    /// Its imports and re-exports: the name, and the path as written.
    imported: BTreeMap<String, Vec<String>>,
    /// Paths of its glob imports.
    globs: Vec<Vec<String>>,
}

/// All source files of a crate.
pub struct Tree {
    pub files: Vec<Source>,
    modules: BTreeMap<ModulePath, Module>,
}

impl Tree {
    /// Reads every source file under `root`.
    pub fn read(root: &Path) -> Self {
        let mut paths = Vec::new();
        sources(root, &mut paths);
        paths.sort();
        let mut tree = Self {
            files: Vec::new(),
            modules: BTreeMap::new(),
        };
        for path in paths {
            let inside = path.strip_prefix(root).unwrap();
            let parts: Vec<_> = inside.iter().map(|part| part.to_str().unwrap()).collect();
            let text = fs::read_to_string(&path).unwrap();
            let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            let mut items = parsed.items;
            items.retain(|item| !is_for_tests(attributes(item)));
            let module = module_of(&parts);
            tree.note(tree.files.len(), &module, &items);
            tree.files.push(Source {
                name: parts.join("/"),
                module,
                items,
            });
        }
        tree
    }

    fn note(&mut self, file: usize, path: &ModulePath, items: &[Item]) {
        let mut module = Module {
            file,
            ..Module::default()
        };
        for item in items {
            match item {
                Item::Use(item) => leaves(&item.tree, &mut Vec::new(), &mut |leaf, name| {
                    if name == "*" {
                        module.globs.push(leaf);
                    } else {
                        module.imported.insert(name, leaf);
                    }
                }),
                Item::Mod(inner) => {
                    if let Some((_, items)) = &inner.content {
                        let mut path = path.clone();
                        path.push(inner.ident.to_string());
                        self.note(file, &path, items);
                    }
                }
                other => module.defined.extend(defined(other)),
            }
        }
        self.modules.insert(path.clone(), module);
    }

    /// Returns the file that defines `path`, as written in the module `from`. Returns `None` for another
    /// crate's item, a module or a local name.
    pub fn file_of(&self, from: &ModulePath, path: &[String]) -> Option<usize> {
        self.look_up(from, path, 0)
    }

    fn look_up(&self, from: &ModulePath, path: &[String], depth: usize) -> Option<usize> {
        // Two modules may re-export each other, so the depth is limited.
        if depth > 16 {
            return None;
        }
        let (mut at, mut rest) = match path.first()?.as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (from.clone(), &path[1..]),
            "super" => (from[..from.len().checked_sub(1)?].to_vec(), &path[1..]),
            _ => (from.clone(), path),
        };
        while let Some((name, after)) = rest.split_first() {
            if name == "super" {
                at.pop()?;
                rest = after;
                continue;
            }
            let module = self.modules.get(&at)?;
            let mut inner = at.clone();
            inner.push(name.clone());
            if self.modules.contains_key(&inner) {
                at = inner;
                rest = after;
            } else if module.defined.contains(name) {
                return Some(module.file);
            } else if let Some(imported) = module.imported.get(name) {
                // A name that is imported from another crate under the same name has no file here.
                let onward = [imported, after].concat();
                return (onward != path || at != *from)
                    .then(|| self.look_up(&at, &onward, depth + 1))
                    .flatten();
            } else {
                let mut globs = module.globs.iter();
                return globs.find_map(|glob| {
                    let onward = [glob, rest].concat();
                    self.look_up(&at, &onward, depth + 1)
                });
            }
        }
        None
    }
}

/// Finds every Rust file under a folder.
pub fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push(path);
        }
    }
}

fn module_of(parts: &[&str]) -> ModulePath {
    let mut module: ModulePath = parts.iter().map(|part| part.replace(".rs", "")).collect();
    if matches!(
        module.last().map(String::as_str),
        Some("mod" | "lib" | "main")
    ) {
        module.pop();
    }
    module
}

/// Passes each path of a `use` to `visit`, with its local name.
pub fn leaves(tree: &UseTree, path: &mut Vec<String>, visit: &mut impl FnMut(Vec<String>, String)) {
    match tree {
        UseTree::Path(next) => {
            path.push(next.ident.to_string());
            leaves(&next.tree, path, visit);
            path.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                leaves(tree, path, visit);
            }
        }
        UseTree::Glob(_) => visit(path.clone(), "*".to_owned()),
        UseTree::Name(name) if name.ident == "self" => {
            visit(path.clone(), path.last().cloned().unwrap_or_default());
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            visit([&path[..], std::slice::from_ref(&name)].concat(), name);
        }
        UseTree::Rename(renamed) => {
            let whole = [&path[..], &[renamed.ident.to_string()]].concat();
            visit(whole, renamed.rename.to_string());
        }
    }
}

/// Returns the name that an item defines.
fn defined(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Macro(item) => item.ident.as_ref()?.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Union(item) => item.ident.to_string(),
        _ => return None,
    })
}

fn attributes(item: &Item) -> &[syn::Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Checks whether an item is compiled for tests only.
pub fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Path>()
                .is_ok_and(|only| only.is_ident("test"))
    })
}
