//! The passwords that are tried first. Those shorter than a password may be need no mention.

/// In lower case, in the order of the alphabet.
const COMMON: &[&str] = &[
    "1q2w3e4r5t6y",
    "1qaz2wsx3edc",
    "1qaz2wsx3edc4rfv",
    "administrator",
    "adminadminadmin",
    "changeme1234",
    "changemenow1",
    "changethispassword",
    "correcthorsebatterystaple",
    "defaultpassword",
    "football1234",
    "iloveyou1234",
    "iloveyouforever",
    "letmein12345",
    "letmeinplease",
    "mypassword12",
    "mypassword123",
    "newpassword1",
    "newpassword123",
    "passw0rd1234",
    "password!123",
    "password0000",
    "password1234",
    "password12345",
    "password123456",
    "password1234567",
    "password12345678",
    "password123456789",
    "password1234!",
    "passwordpassword",
    "princess1234",
    "q1w2e3r4t5y6",
    "qazwsxedcrfv",
    "qwerty123456",
    "qwerty1234567",
    "qwerty12345678",
    "qwertyqwerty",
    "qwertyuiop12",
    "qwertyuiop123",
    "qwertyuiopasdf",
    "qwertyuiopasdfghjkl",
    "secretpassword",
    "stoastoastoa",
    "sunshine1234",
    "superman1234",
    "thisisapassword",
    "trustno1trustno1",
    "unknownpassword",
    "welcome12345",
    "welcome123456",
    "zaq12wsxcde3",
];
/// The longest piece that, repeated, makes no password.
const LONGEST_PIECE: usize = 4;

/// Whether `folded`, in lower case, is one of them, a short piece repeated, or a run such as `123456789012`.
pub fn is_common(folded: &str) -> bool {
    let characters: Vec<char> = folded.chars().collect();
    COMMON.contains(&folded) || is_repeated(&characters) || is_run(&characters)
}

fn is_repeated(characters: &[char]) -> bool {
    (1..=LONGEST_PIECE).any(|piece| characters.iter().zip(characters.iter().skip(piece)).all(|(a, b)| a == b))
}

/// Whether each character follows the one before it, up or down; after `9` comes `0`.
fn is_run(characters: &[char]) -> bool {
    let follows = |a: char, b: char| u32::from(b) == u32::from(a) + 1 || (a, b) == ('9', '0');
    let pairs = || characters.iter().zip(characters.iter().skip(1));
    pairs().all(|(&a, &b)| follows(a, b)) || pairs().all(|(&a, &b)| follows(b, a))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_and_runs_are_common_and_words_are_not() {
        for text in ["abcdefghijklmn", "123456789012", "210987654321", "xyxyxyxyxyxy", "hahahahahaha"] {
            assert!(is_common(text), "{text}");
        }
        for text in ["correct horse", "abcdefghijkm", "a stoa at noon"] {
            assert!(!is_common(text), "{text}");
        }
    }
}
