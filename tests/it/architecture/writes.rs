//! Where rows are put and deleted: calls of a table's `put` and `delete`.

use syn::visit::{self, Visit};

use super::tree::{Tree, is_for_tests};

/// The folder whose files alone may put and delete rows, and the room that makes it possible.
const ALLOWED: [&str; 2] = ["app/rows/", "store/"];

/// Every call of a table's `put` or `delete` outside of `app/rows/` and `store/`. A table is a
/// constant, or a variable whose method is given the transaction `tx`.
pub fn writes_elsewhere(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for source in &tree.files {
        if ALLOWED
            .iter()
            .any(|allowed| source.name.starts_with(allowed))
        {
            continue;
        }
        let mut calls = Calls { found: Vec::new() };
        for item in &source.items {
            calls.visit_item(item);
        }
        let named = calls.found.into_iter();
        found.extend(named.map(|call| format!("{} calls {call}", source.name)));
    }
    found
}

struct Calls {
    found: Vec<String>,
}

/// Whether an argument is the variable `tx`, or a reference to it.
fn is_transaction(argument: &syn::Expr) -> bool {
    match argument {
        syn::Expr::Reference(reference) => is_transaction(&reference.expr),
        syn::Expr::Path(path) => path.path.is_ident("tx"),
        _ => false,
    }
}

fn is_write(name: &syn::Ident) -> bool {
    name == "put" || name == "delete"
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_item_mod(&mut self, inner: &'ast syn::ItemMod) {
        if !is_for_tests(&inner.attrs) {
            visit::visit_item_mod(self, inner);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if is_write(&call.method) {
            let receiver = match &*call.receiver {
                syn::Expr::Path(path) => path.path.segments.last().map(|last| &last.ident),
                _ => None,
            };
            let receiver = receiver.map_or("_".to_owned(), ToString::to_string);
            let is_constant = receiver.chars().any(char::is_uppercase)
                && !receiver.chars().any(char::is_lowercase);
            if is_constant || call.args.first().is_some_and(is_transaction) {
                self.found.push(format!("{receiver}.{}", call.method));
            }
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        let mut names = path.path.segments.iter().rev().map(|part| &part.ident);
        if let (Some(last), Some(of)) = (names.next(), names.next())
            && is_write(last)
            && of == "Table"
        {
            self.found.push(format!("{of}::{last}"));
        }
        visit::visit_expr_path(self, path);
    }
}
