//! Derives the schema of a body in the API's document from the attributes that serde reads, so that the
//! document and the body have the same names. `src/schema.rs` has what the derived code calls.

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, Field, Fields, Lit, LitStr, Meta, Token,
    parse_macro_input,
};

/// Derives the schema of what is sent. An `Option` is always present, and null if it is `None`; with
/// `skip_serializing_if` it is left out instead.
#[proc_macro_derive(ResponseSchema)]
pub fn response_schema(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let schema = schema_of(&input, false);
    schema.unwrap_or_else(Error::into_compile_error).into()
}

/// Derives the schema of what is received, and reads a struct from a JSON object alone: serde's own
/// code takes an array too. The struct needs `#[serde(remote = "Self")]`, which hands that code over.
/// An `Option` may be null or left out, and so may a member with `default`.
#[proc_macro_derive(RequestSchema)]
pub fn request_schema(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let ident = &input.ident;
    let reads = matches!(input.data, Data::Struct(_)).then(|| {
        quote! {
            impl<'de> ::serde::Deserialize<'de> for #ident {
                fn deserialize<D: ::serde::Deserializer<'de>>(
                    from: D,
                ) -> ::std::result::Result<Self, D::Error> {
                    Self::deserialize(crate::schema::AsObject(from))
                }
            }
        }
    });
    let schema = schema_of(&input, true).unwrap_or_else(Error::into_compile_error);
    quote!(#schema #reads).into()
}

fn schema_of(input: &DeriveInput, is_request: bool) -> Result<Tokens, Error> {
    let ident = &input.ident;
    let name = match SerdeAttributes::read(&input.attrs)?.rename {
        Some(name) => name.value(),
        None => ident.to_string(),
    };
    let description = description(&input.attrs);
    let schema = match &input.data {
        Data::Struct(data) if matches!(data.fields, Fields::Named(_)) => {
            let mut members = Vec::new();
            for field in &data.fields {
                members.extend(member(field, is_request)?);
            }
            quote!(crate::schema::object(#name, #description, ::std::vec![#(#members),*]))
        }
        Data::Enum(data) => {
            let variants = data.variants.iter().map(|variant| &variant.ident);
            quote!(crate::schema::choice(#description, &[#(#ident::#variants),*]))
        }
        _ => {
            let wanted = "a schema is derived of a struct with names or an enumeration";
            return Err(Error::new_spanned(ident, wanted));
        }
    };
    Ok(quote! {
        crate::schema::schema_of!(#ident, #name, |_registry: &mut ::poem_openapi::registry::Registry| #schema);
    })
}

fn member(field: &Field, is_request: bool) -> Result<Option<Tokens>, Error> {
    let serde = SerdeAttributes::read(&field.attrs)?;
    let Some(ident) = field.ident.as_ref().filter(|_| !serde.is_skipped) else {
        return Ok(None);
    };
    let name = match serde.rename {
        Some(name) => name.value(),
        None => ident.to_string(),
    };
    let kind = &field.ty;
    let presence = if is_request && serde.has_default {
        quote!(Default(crate::schema::default_of::<#kind>()))
    } else if is_request {
        quote!(Optional)
    } else if serde.is_skipped_sometimes {
        quote!(Sometimes)
    } else {
        quote!(Always)
    };
    let description = description(&field.attrs);
    Ok(Some(quote! {
        crate::schema::Member::of::<#kind>(
            _registry, #name, #description, crate::schema::Presence::#presence,
        )
    }))
}

/// What the schema depends on of the attributes for serde.
#[derive(Default)]
struct SerdeAttributes {
    rename: Option<LitStr>,
    has_default: bool,
    is_skipped: bool,
    is_skipped_sometimes: bool,
}

impl SerdeAttributes {
    fn read(attributes: &[Attribute]) -> Result<Self, Error> {
        let mut read = Self::default();
        for attribute in attributes.iter().filter(|one| one.path().is_ident("serde")) {
            attribute.parse_nested_meta(|meta| read.add(&meta))?;
        }
        Ok(read)
    }

    fn add(&mut self, meta: &ParseNestedMeta<'_>) -> Result<(), Error> {
        let value = if meta.input.peek(Token![=]) {
            Some(meta.value()?.parse::<LitStr>()?)
        } else {
            None
        };
        match meta.path.require_ident()?.to_string().as_str() {
            "rename" => self.rename = value,
            "default" => self.has_default = true,
            "skip" | "skip_serializing" => self.is_skipped = true,
            "skip_serializing_if" => self.is_skipped_sometimes = true,
            _ => {}
        }
        Ok(())
    }
}

/// The comment in one line.
fn description(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| {
        let Meta::NameValue(named) = &attribute.meta else {
            return None;
        };
        match &named.value {
            Expr::Lit(text) if named.path.is_ident("doc") => match &text.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        }
    });
    lines.collect::<Vec<_>>().join(" ")
}
