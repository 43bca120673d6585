//! The languages in which pages are written.

use http::HeaderMap;
use http::header::ACCEPT_LANGUAGE;

use crate::texts::{self, Texts};

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Spanish.
    Spanish,
}

impl Language {
    /// Each of them.
    pub const ALL: [Self; 2] = [Self::English, Self::Spanish];

    /// Its tag (BCP 47).
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
        }
    }

    /// What it is called in itself.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Spanish => "Español",
        }
    }

    /// Every word of the pages in it.
    #[must_use]
    pub const fn texts(self) -> &'static Texts {
        match self {
            Self::English => &texts::ENGLISH,
            Self::Spanish => &texts::SPANISH,
        }
    }

    /// The language with this tag, or with one that begins so: `es-MX`.
    #[must_use]
    pub fn of_tag(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', ';']).next().unwrap_or_default().trim();
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }

    /// What a browser prefers of what there is (RFC 9110 section 12.5.4): the first one named, since browsers name
    /// them in the order of their wish.
    #[must_use]
    pub fn preferred(headers: &HeaderMap) -> Self {
        let accepted = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        accepted.split(',').find_map(|tag| Self::of_tag(tag.trim())).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn preferred(accepted: &'static str) -> Language {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static(accepted));
        Language::preferred(&headers)
    }

    #[test]
    fn the_first_language_that_there_is_wins() {
        assert_eq!(preferred("de-DE,de;q=0.9,es-MX;q=0.8,en;q=0.7"), Language::Spanish);
        assert_eq!(preferred("en-US,es;q=0.5"), Language::English);
        assert_eq!(preferred("fr"), Language::English);
        assert_eq!(Language::preferred(&HeaderMap::new()), Language::English);
    }
}
