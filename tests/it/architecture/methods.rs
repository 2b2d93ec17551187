//! Finds the file of a method from its call. Methods of a type, such as `App`, may stand in several files of
//! its module, without any `use`.
//!
//! The receiver's type is known for `self` and `app`, as a variable or field. For other receivers, the
//! method's name decides. One type of the crate must have the method, in another file than the type's own.
//! Methods in the type's own file, such as `get` or `push`, could as well be another crate's.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};

use super::tree::{ModulePath, Tree, is_for_tests};

/// A type: the index of its file, and its name.
type Type = (usize, String);

/// The methods of the crate's types.
pub struct Methods {
    /// The file of each method, by type.
    of_type: BTreeMap<Type, BTreeMap<String, usize>>,
    /// The types that have a method of this name.
    named: BTreeMap<String, BTreeSet<Type>>,
}

/// A call of a method, and the kind of its receiver.
pub struct Call {
    /// The module that contains the call.
    pub module: ModulePath,
    pub receiver: Receiver,
    pub method: String,
}

/// The kind of a receiver.
pub enum Receiver {
    /// The path of the type. The source text has `self`, `Self` or the name of a type.
    Type(Vec<String>),
    /// A variable or field named `app`.
    App,
    /// Unknown.
    Any,
}

impl Methods {
    pub fn of(tree: &Tree) -> Self {
        let mut methods = Self {
            of_type: BTreeMap::new(),
            named: BTreeMap::new(),
        };
        for (file, source) in tree.files.iter().enumerate() {
            let mut walk = Impls {
                module: source.module.clone(),
                found: Vec::new(),
            };
            source.items.iter().for_each(|item| walk.visit_item(item));
            for (module, path, method) in walk.found {
                let Some(of) = type_of(tree, &module, &path) else {
                    continue;
                };
                methods
                    .named
                    .entry(method.clone())
                    .or_default()
                    .insert(of.clone());
                let known = methods.of_type.entry(of).or_default();
                known.insert(method, file);
            }
        }
        methods
    }

    /// Returns the file of the called method. Returns `None` for a method of another crate, and if the type
    /// is unknown.
    pub fn file_of(&self, tree: &Tree, call: &Call) -> Option<usize> {
        let of = match &call.receiver {
            Receiver::Type(path) => type_of(tree, &call.module, path)?,
            Receiver::App => self.types().find(|(_, name)| name == "App")?.clone(),
            Receiver::Any => self.only_type_with(&call.method)?.clone(),
        };
        self.of_type.get(&of)?.get(&call.method).copied()
    }

    fn types(&self) -> impl Iterator<Item = &Type> {
        self.of_type.keys()
    }

    /// Returns the only type with this method outside its own file. An `App` always has the name `app`.
    fn only_type_with(&self, method: &str) -> Option<&Type> {
        let mut types = self.named.get(method)?.iter();
        let only = types.next()?;
        let elsewhere = self.of_type[only][method] != only.0 && only.1 != "App";
        (elsewhere && types.next().is_none()).then_some(only)
    }
}

/// Returns the type that a path names.
fn type_of(tree: &Tree, module: &ModulePath, path: &[String]) -> Option<Type> {
    Some((tree.file_of(module, path)?, path.last()?.clone()))
}

/// The methods of a file: the module, the path of the type, and the method's name.
struct Impls {
    module: ModulePath,
    found: Vec<(ModulePath, Vec<String>, String)>,
}

impl<'ast> Visit<'ast> for Impls {
    fn visit_item_mod(&mut self, inner: &'ast syn::ItemMod) {
        if is_for_tests(&inner.attrs) {
            return;
        }
        self.module.push(inner.ident.to_string());
        visit::visit_item_mod(self, inner);
        self.module.pop();
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        let Some(path) = type_path(&block.self_ty) else {
            return;
        };
        if block.trait_.is_some() {
            return;
        }
        for item in &block.items {
            if let syn::ImplItem::Fn(method) = item {
                let name = method.sig.ident.to_string();
                self.found.push((self.module.clone(), path.clone(), name));
            }
        }
    }
}

/// Returns the path of a type, if the type is a path.
pub fn type_path(written: &syn::Type) -> Option<Vec<String>> {
    match written {
        syn::Type::Path(path) => {
            let segments = path.path.segments.iter();
            Some(segments.map(|part| part.ident.to_string()).collect())
        }
        _ => None,
    }
}
