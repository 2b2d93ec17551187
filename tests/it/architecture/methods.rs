//! Which file a call of a method leads to. The methods of a type, such as `App`, may stand in
//! several files of its module; no `use` says so.
//!
//! The type of a receiver is known where it is `self` or `app`, as a variable or a field. For any
//! other receiver the method's name says it, where just one type of the crate has a method so
//! called and it stands in another file than its type: one beside its type, such as `get` or
//! `push`, may as well be another crate's.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};

use super::tree::{ModulePath, Tree, is_for_tests};

/// A type: the file that defines it, and its name.
type Type = (usize, String);

/// The methods of the crate's types.
pub struct Methods {
    /// Where each method of a type is written.
    of_type: BTreeMap<Type, BTreeMap<String, usize>>,
    /// The types that have a method of a name.
    named: BTreeMap<String, BTreeSet<Type>>,
}

/// A call of a method, and what is known of its receiver.
pub struct Call {
    /// The module it is written in.
    pub module: ModulePath,
    pub receiver: Receiver,
    pub method: String,
}

/// What is known of a receiver.
pub enum Receiver {
    /// A path to its type: `self`, `Self` or the type's own name.
    Type(Vec<String>),
    /// A variable or field called `app`.
    App,
    /// Nothing.
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

    /// The file that has the method which a call names; none for another crate's, and where its
    /// type isn't known.
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

    /// The one type that has a method of this name, in another file than its own. An `App` is
    /// always called by its name.
    fn only_type_with(&self, method: &str) -> Option<&Type> {
        let mut types = self.named.get(method)?.iter();
        let only = types.next()?;
        let elsewhere = self.of_type[only][method] != only.0 && only.1 != "App";
        (elsewhere && types.next().is_none()).then_some(only)
    }
}

/// The type that a path names.
fn type_of(tree: &Tree, module: &ModulePath, path: &[String]) -> Option<Type> {
    Some((tree.file_of(module, path)?, path.last()?.clone()))
}

/// The methods written in a file: the module, the path to the type, and the method's name.
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

/// The path of a type that is written as one.
pub fn type_path(written: &syn::Type) -> Option<Vec<String>> {
    match written {
        syn::Type::Path(path) => {
            let segments = path.path.segments.iter();
            Some(segments.map(|part| part.ident.to_string()).collect())
        }
        _ => None,
    }
}
