//! Maps of MessagePack, as rows are stored.

use rmpv::Value;

/// What a map has under a name; none where it isn't there, or where the value is no map.
pub(super) fn field<'a>(map: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    let Value::Map(fields) = map else {
        return None;
    };
    let mut fields = fields.iter_mut();
    let found = fields.find(|(known, _)| known.as_str() == Some(name));
    found.map(|(_, value)| value)
}

/// Adds a field that is empty at the end of a map.
pub(super) fn add(map: &mut Value, name: &str) -> Result<(), String> {
    add_value(map, name, Value::Nil)
}

pub(super) fn add_value(map: &mut Value, name: &str, value: Value) -> Result<(), String> {
    let Value::Map(fields) = map else {
        return Err("a row without fields".to_string());
    };
    fields.push((name.into(), value));
    Ok(())
}
