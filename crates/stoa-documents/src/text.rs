//! Text as it is being gathered: never more than is kept.

/// The most bytes of text, in UTF-8, that are kept of a document: 8 MiB.
pub const TEXT_BYTES: usize = 8 * 1024 * 1024;

/// A text that grows. What is added to one that is full is dropped, but for a rest that shows that it was.
#[derive(Debug, Default)]
pub(crate) struct Text(String);

impl Text {
    /// Adds something.
    pub(crate) fn push(&mut self, more: &str) {
        if !self.is_full() {
            self.0.push_str(more);
        }
    }

    /// Begins a new line, unless one has just begun.
    pub(crate) fn line(&mut self) {
        if !self.0.is_empty() && !self.0.ends_with('\n') {
            self.push("\n");
        }
    }

    /// Whether there is nothing yet.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is nothing to read.
    pub(crate) fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// Parts two words, unless they are parted.
    pub(crate) fn space(&mut self) {
        if self.0.chars().next_back().is_some_and(|last| !last.is_whitespace()) {
            self.push(" ");
        }
    }

    /// Adds a line of its own; nothing, where there is nothing to say.
    pub(crate) fn say(&mut self, more: &str) {
        if !more.trim().is_empty() {
            self.line();
            self.push(more.trim());
            self.push("\n");
        }
    }

    /// Adds what is known about a document: `Author: …`, each on its line.
    pub(crate) fn about(&mut self, facts: &[(&str, Option<&str>)]) {
        for (name, value) in facts {
            if let Some(value) = value.map(str::trim).filter(|value| !value.is_empty()) {
                self.say(&format!("{name}: {value}"));
            }
        }
    }

    /// Whether all that is kept is there. The work may end.
    pub(crate) const fn is_full(&self) -> bool {
        self.0.len() > TEXT_BYTES
    }

    /// The text.
    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(text)
    }
}
