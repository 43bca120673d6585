//! QR codes, for what a camera is to read from a page.

use std::fmt::Write;

use qrcodegen::{QrCode, QrCodeEcc};

/// The margin that cameras need, in modules (ISO/IEC 18004 section 9.1).
const QUIET: i32 = 4;

/// A QR code as a picture of one path; a unit is a module.
#[derive(Debug)]
pub(crate) struct Qr {
    /// Width and height, the margin included.
    pub size: i32,
    /// The `d` of its dark modules.
    pub path: String,
}

impl Qr {
    /// The code that says `text`. `None` if that is too long for one.
    pub fn of(text: &str) -> Option<Self> {
        let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
        let all = (0..code.size()).flat_map(|y| (0..code.size()).map(move |x| (x, y)));
        let mut path = String::new();
        for (x, y) in all.filter(|(x, y)| code.get_module(*x, *y)) {
            // Writing to a string can't fail.
            let _written = write!(path, "M{} {}h1v1h-1z", x + QUIET, y + QUIET);
        }
        Some(Self { size: code.size() + 2 * QUIET, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_is_the_smallest_code_with_its_margin_and_a_book_is_none() {
        let code = Qr::of("STOA").unwrap();
        assert_eq!(code.size, 21 + 8);
        assert!(code.path.starts_with("M4 4h1v1h-1zM5 4h1v1h-1z"), "the corner that cameras look for");
        assert!(Qr::of(&"x".repeat(5_000)).is_none());
    }
}
