//! Typed text: all visible letters and signs are accepted, and invisible characters are refused.

/// The highest number of lines of an address.
const MOST_LINES: usize = 7;

/// The longest text of a command's option, in characters.
const MAX_OPTION: usize = 200;

/// Returns the text of a command's option such as `--why`, trimmed.
///
/// # Errors
/// A text for the operator if the option is empty, long, or has a control character.
pub fn option_text(option: &str, typed: &str) -> Result<String, String> {
    let typed = typed.trim();
    let is_line = !typed.is_empty() && !typed.contains(char::is_control);
    if is_line && typed.chars().count() <= MAX_OPTION {
        return Ok(typed.to_owned());
    }
    Err(format!(
        "{option} must be one line of 1 to {MAX_OPTION} characters."
    ))
}

/// Returns the text without the white space around it.
///
/// # Errors
/// Returns the customer's message if `text` has an invisible character, fewer than `least`
/// characters or more than `max`.
pub fn line(text: &str, least: usize, max: usize) -> Result<String, String> {
    check_text(text.trim(), least, max, false)
}

/// Returns the trimmed lines, without empty lines.
///
/// # Errors
/// Returns the customer's message for more than `MOST_LINES` lines, an invisible character, or a
/// wrong length. The length is from `least` to `max` characters.
pub fn lines(text: &str, least: usize, max: usize) -> Result<String, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<_> = lines.collect();
    if lines.len() > MOST_LINES {
        return Err(format!("Use {MOST_LINES} lines or fewer"));
    }
    check_text(&lines.join("\n"), least, max, true)
}

fn check_text(text: &str, least: usize, max: usize, broken: bool) -> Result<String, String> {
    if text.chars().any(|c| is_hidden(c) && !(broken && c == '\n')) {
        return Err("Remove the characters that can't be seen; typing it again helps".into());
    }
    let length = text.chars().count();
    if length > max {
        return Err(format!("Use {max} characters or fewer"));
    }
    if length < least {
        return Err(format!("Use {least} characters or more"));
    }
    Ok(text.to_owned())
}

/// Returns whether a character is invisible: a control character, an annotation mark or an
/// ignorable character. Two names that differ only in such characters look alike.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{fff9}'..='\u{fffb}')
        || is_ignorable(character)
}

/// Returns whether a character has Unicode's property Default_Ignorable_Code_Point
/// (DerivedCoreProperties.txt of Unicode 17.0). Examples are joiners, direction marks, soft
/// hyphens, fillers and selectors. The website uses `\p{Default_Ignorable_Code_Point}`.
pub fn is_ignorable(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}
