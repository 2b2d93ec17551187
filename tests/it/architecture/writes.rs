//! Finds writes that bypass the tables: calls of a transaction's own `put` and `delete`. Such calls update no
//! index, while a table's methods do.

use syn::visit::{self, Visit};

use super::tree::{Tree, is_for_tests};

/// Returns every call of `put` or `delete` on the variable `tx` outside `store/`.
pub fn writes_elsewhere(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for source in tree
        .files
        .iter()
        .filter(|file| file.top_module() != "store")
    {
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

impl<'ast> Visit<'ast> for Calls {
    fn visit_item_mod(&mut self, inner: &'ast syn::ItemMod) {
        if !is_for_tests(&inner.attrs) {
            visit::visit_item_mod(self, inner);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let is_write = call.method == "put" || call.method == "delete";
        let of = match &*call.receiver {
            syn::Expr::Path(path) => path.path.get_ident(),
            _ => None,
        };
        if is_write && of.is_some_and(|of| of == "tx") {
            self.found.push(format!("tx.{}", call.method));
        }
        visit::visit_expr_method_call(self, call);
    }
}
