//! Text that people type: any letter and sign they write is kept, but not what can't be seen
//! and turns the text around it.

/// Most lines of an address.
const MOST_LINES: usize = 7;

/// One line, without the spaces around it.
///
/// # Errors
/// A sentence that says what to do about it.
pub fn line(text: &str, least: usize, most: usize) -> Result<String, String> {
    checked(text.trim(), least, most, false)
}

/// Lines, each without the spaces around it, empty ones left out.
///
/// # Errors
/// A sentence that says what to do about it.
pub fn lines(text: &str, least: usize, most: usize) -> Result<String, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<_> = lines.collect();
    if lines.len() > MOST_LINES {
        return Err(format!("Use {MOST_LINES} lines or fewer"));
    }
    checked(&lines.join("\n"), least, most, true)
}

fn checked(text: &str, least: usize, most: usize, broken: bool) -> Result<String, String> {
    if text.chars().any(|c| is_hidden(c) && !(broken && c == '\n')) {
        return Err("Remove the characters that can't be seen; typing it again helps".into());
    }
    let length = text.chars().count();
    if length > most {
        return Err(format!("Use {most} characters or fewer"));
    }
    if length < least {
        return Err(format!("Use {least} characters or more"));
    }
    Ok(text.to_owned())
}

/// Control characters, and the marks that override the direction of the text
/// after them; the gentle direction marks that right-to-left names need stay.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}
