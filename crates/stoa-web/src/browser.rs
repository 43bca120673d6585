//! What a browser calls itself, in words.

/// The name and the system of a browser, as far as it says them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Browser {
    pub name: Option<&'static str>,
    pub system: Option<&'static str>,
}

/// What stands in the header of each, the most telling first: browsers name those that they descend from, too.
const NAMES: [(&str, &str); 8] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Vivaldi/", "Vivaldi"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrom", "Chrome"),
    ("Safari/", "Safari"),
];
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

impl Browser {
    /// Reads the header `User-Agent`.
    pub fn of(user_agent: &str) -> Self {
        let named = |known: &[(&str, &'static str)]| {
            known.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
        };
        let name = if user_agent.contains("CriOS/") { Some("Chrome") } else { named(&NAMES) };
        Self { name, system: named(&SYSTEMS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_known_among_those_that_it_descends_from() {
        let said = |text: &str| {
            let Browser { name, system } = Browser::of(text);
            (name.unwrap_or("?"), system.unwrap_or("?"))
        };
        let chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
        assert_eq!(said(chrome), ("Chrome", "Linux"));
        assert_eq!(said(&format!("{chrome} Edg/140.0.0.0")), ("Edge", "Linux"));
        let iphone =
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
        assert_eq!(said(&format!("{iphone} Version/18.5 Mobile/15E148 Safari/604.1")), ("Safari", "iPhone"));
        assert_eq!(said(&format!("{iphone} CriOS/140.0 Mobile/15E148 Safari/604.1")), ("Chrome", "iPhone"));
        let firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0";
        assert_eq!(said(firefox), ("Firefox", "Windows"));
        assert_eq!(said("<script>"), ("?", "?"));
    }
}
