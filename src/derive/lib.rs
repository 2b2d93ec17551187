//! Derives the schema of a body from its serde attributes. So the API's document and the body have
//! equal names. The derived code calls `src/json_schema.rs`.

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, Field, Fields, Ident, Lit, LitStr, Meta, Token,
    Type, parse_macro_input, token,
};

/// Derives the schema of a response. An `Option` is always present, and a `None` is null. A member
/// with `skip_serializing_if` may be left out. `#[schema(T)]` gives a member the schema of `T`.
#[proc_macro_derive(ResponseSchema, attributes(schema))]
pub fn response_schema(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let schema = schema_of(&input, false);
    schema.unwrap_or_else(Error::into_compile_error).into()
}

/// Derives the schema of a request, and reads a struct from a JSON object only. Serde's own code
/// also accepts an array. The struct needs `#[serde(remote = "Self")]`, so that the derived code
/// can call serde's code. An `Option` may be null or left out. A member with `default` may be left
/// out.
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
                    Self::deserialize(crate::json_schema::AsObject(from))
                }
            }
        }
    });
    let schema = schema_of(&input, true).unwrap_or_else(Error::into_compile_error);
    quote!(#schema #reads).into()
}

fn schema_of(input: &DeriveInput, is_request: bool) -> Result<Tokens, Error> {
    let ident = &input.ident;
    let name = SerdeAttributes::read(&input.attrs, is_request)?.name(ident);
    let description = description(&input.attrs);
    let (schema, members) = match &input.data {
        Data::Struct(data) if matches!(data.fields, Fields::Named(_)) => {
            let members = data.fields.iter().map(|field| member(field, is_request));
            let members = members.collect::<Result<Vec<_>, _>>()?;
            let members = quote! {
                impl crate::json_schema::Members for #ident {
                    fn add(
                        _registry: &mut crate::json_schema::Registry,
                        _members: &mut ::std::vec::Vec<crate::json_schema::Member>,
                    ) {
                        #(#members)*
                    }
                }
            };
            let schema = quote!(crate::json_schema::object_of::<#ident>(_registry, #name, #description));
            (schema, members)
        }
        Data::Enum(data) => {
            let variants = data.variants.iter().map(|variant| &variant.ident);
            let schema = quote!(crate::json_schema::choice(#description, &[#(#ident::#variants),*]));
            (schema, Tokens::new())
        }
        _ => {
            let rule = "a schema is derived of a struct with names or an enumeration";
            return Err(Error::new_spanned(ident, rule));
        }
    };
    Ok(quote! {
        #members
        crate::json_schema::schema_of!(#ident, #name, |_registry| #schema);
    })
}

/// Returns the code that adds a field's member to the document. A flattened struct adds all its
/// members. A skipped field adds none.
fn member(field: &Field, is_request: bool) -> Result<Tokens, Error> {
    let serde = SerdeAttributes::read(&field.attrs, is_request)?;
    let Some(ident) = field.ident.as_ref().filter(|_| !serde.is_skipped) else {
        return Ok(Tokens::new());
    };
    let mut schemas = field
        .attrs
        .iter()
        .filter(|one| one.path().is_ident("schema"));
    let kind = match schemas.next() {
        Some(schema) => schema.parse_args::<Type>()?,
        None => field.ty.clone(),
    };
    if serde.is_flat {
        return Ok(quote!(<#kind as crate::json_schema::Members>::add(_registry, _members);));
    }
    let presence = if is_request && serde.has_default {
        quote!(Default(crate::json_schema::default_of::<#kind>()))
    } else if is_request {
        quote!(Optional)
    } else if serde.is_skipped_sometimes {
        quote!(Sometimes)
    } else {
        quote!(Always)
    };
    let (name, description) = (serde.name(ident), description(&field.attrs));
    Ok(quote! {
        _members.push(crate::json_schema::Member::for_type::<#kind>(
            _registry, #name, #description, crate::json_schema::Presence::#presence,
        ));
    })
}

/// The serde attributes that the schema depends on.
#[derive(Default)]
struct SerdeAttributes {
    is_request: bool,
    rename: Option<LitStr>,
    has_default: bool,
    is_flat: bool,
    is_skipped: bool,
    is_skipped_sometimes: bool,
}

impl SerdeAttributes {
    fn read(attributes: &[Attribute], is_request: bool) -> Result<Self, Error> {
        let mut read = Self {
            is_request,
            ..Self::default()
        };
        for attribute in attributes.iter().filter(|one| one.path().is_ident("serde")) {
            attribute.parse_nested_meta(|meta| read.add(&meta))?;
        }
        Ok(read)
    }

    fn name(&self, ident: &Ident) -> String {
        let rename = self.rename.as_ref();
        rename.map_or_else(|| ident.to_string(), LitStr::value)
    }

    fn add(&mut self, meta: &ParseNestedMeta<'_>) -> Result<(), Error> {
        let name = meta.path.require_ident()?.to_string();
        if meta.input.peek(token::Paren) {
            // `rename(serialize = "...", deserialize = "...")`.
            return meta.parse_nested_meta(|side| {
                let value = side.value()?.parse()?;
                if name == "rename" && side.path.is_ident("deserialize") == self.is_request {
                    self.rename = Some(value);
                }
                Ok(())
            });
        }
        let value = if meta.input.peek(Token![=]) {
            Some(meta.value()?.parse::<LitStr>()?)
        } else {
            None
        };
        match name.as_str() {
            "rename" => self.rename = value,
            "default" => self.has_default = true,
            "flatten" => self.is_flat = true,
            "skip" => self.is_skipped = true,
            "skip_serializing" => self.is_skipped |= !self.is_request,
            "skip_serializing_if" => self.is_skipped_sometimes = true,
            _ => {}
        }
        Ok(())
    }
}

/// Returns the doc comment in one line.
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
