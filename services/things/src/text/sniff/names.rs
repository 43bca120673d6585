//! What names say: the tables of extensions and of well-known file names.

use crate::model::Kind;

/// A file's name in lower case, and its extension.
pub(super) struct Name {
    file: String,
    dot: Option<usize>,
}

impl Name {
    /// The name of a file from its key.
    pub(super) fn of(key: &str) -> Self {
        let file = key.rsplit('/').next().unwrap_or(key).to_lowercase();
        let dot = file.rfind('.');
        Self { file, dot }
    }

    /// What follows the last dot; empty if there is none.
    pub(super) fn extension(&self) -> &str {
        self.dot.map_or("", |dot| &self.file[dot + 1..])
    }

    /// What the tables say of a file that holds text.
    pub(super) fn textual(&self) -> Option<(Kind, &'static str)> {
        let named = find(CODE_FILES, &self.file).map(|mime| (Kind::Code, mime));
        named.or_else(|| {
            let extension = self.extension();
            TEXTUAL.iter().find_map(|(kind, table)| Some((*kind, find(table, extension)?)))
        })
    }

    /// What the tables say of a packed file (zip, or the compound files of older Office).
    pub(super) fn packed(&self) -> Option<&'static str> {
        find(PACKED_DOCUMENTS, self.extension())
    }

    /// The media type that the extension is registered with.
    pub(super) fn registered(&self) -> Option<&'static str> {
        match self.extension() {
            "ts" | "mts" | "m2ts" => Some("video/mp2t"),
            extension => mime_guess::from_ext(extension).first_raw(),
        }
    }
}

/// A table of names, each with its media type.
type Table = &'static [(&'static str, &'static str)];

fn find(table: Table, name: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == name).map(|(_, mime)| *mime)
}

/// The interpreter of a script and its media type.
pub(super) fn interpreter(program: &str) -> &'static str {
    let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    find(INTERPRETERS, program).unwrap_or("text/x-script")
}

const TEXTUAL: &[(Kind, Table)] = &[
    (Kind::Document, DOCUMENTS),
    (Kind::Web, PAGES),
    (Kind::Data, DATA),
    (Kind::Email, MAILS),
    (Kind::Code, CODE),
    (Kind::Image, &[("svg", "image/svg+xml")]),
];

const DOCUMENTS: Table = &[
    ("md", "text/markdown"),
    ("markdown", "text/markdown"),
    ("mdx", "text/markdown"),
    ("rst", "text/x-rst"),
    ("adoc", "text/asciidoc"),
    ("org", "text/org"),
    ("tex", "text/x-tex"),
];

const PAGES: Table = &[
    ("html", "text/html"),
    ("htm", "text/html"),
    ("xhtml", "application/xhtml+xml"),
    ("xht", "application/xhtml+xml"),
];

const DATA: Table = &[
    ("csv", "text/csv"),
    ("tsv", "text/tab-separated-values"),
    ("json", "application/json"),
    ("jsonl", "application/jsonl"),
    ("ndjson", "application/jsonl"),
    ("geojson", "application/geo+json"),
    ("ipynb", "application/x-ipynb+json"),
    ("xml", "application/xml"),
    ("xsd", "application/xml"),
    ("rss", "application/rss+xml"),
    ("atom", "application/atom+xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("toml", "application/toml"),
    ("ini", "text/x-ini"),
    ("ics", "text/calendar"),
    ("vcf", "text/vcard"),
];

const MAILS: Table = &[("eml", "message/rfc822"), ("mbox", "application/mbox")];

const CODE: Table = &[
    ("rs", "text/x-rust"),
    ("py", "text/x-python"),
    ("pyi", "text/x-python"),
    ("js", "text/javascript"),
    ("mjs", "text/javascript"),
    ("cjs", "text/javascript"),
    ("jsx", "text/javascript"),
    ("ts", "text/x-typescript"),
    ("mts", "text/x-typescript"),
    ("cts", "text/x-typescript"),
    ("tsx", "text/x-typescript"),
    ("vue", "text/x-vue"),
    ("svelte", "text/x-svelte"),
    ("css", "text/css"),
    ("scss", "text/x-scss"),
    ("less", "text/x-less"),
    ("c", "text/x-c"),
    ("h", "text/x-c"),
    ("cc", "text/x-c++"),
    ("cpp", "text/x-c++"),
    ("cxx", "text/x-c++"),
    ("hpp", "text/x-c++"),
    ("cs", "text/x-csharp"),
    ("fs", "text/x-fsharp"),
    ("java", "text/x-java"),
    ("kt", "text/x-kotlin"),
    ("kts", "text/x-kotlin"),
    ("scala", "text/x-scala"),
    ("clj", "text/x-clojure"),
    ("go", "text/x-go"),
    ("zig", "text/x-zig"),
    ("swift", "text/x-swift"),
    ("m", "text/x-objective-c"),
    ("mm", "text/x-objective-c"),
    ("dart", "text/x-dart"),
    ("rb", "text/x-ruby"),
    ("erb", "text/x-ruby"),
    ("php", "text/x-php"),
    ("pl", "text/x-perl"),
    ("pm", "text/x-perl"),
    ("lua", "text/x-lua"),
    ("r", "text/x-r"),
    ("jl", "text/x-julia"),
    ("hs", "text/x-haskell"),
    ("ml", "text/x-ocaml"),
    ("ex", "text/x-elixir"),
    ("exs", "text/x-elixir"),
    ("erl", "text/x-erlang"),
    ("el", "text/x-lisp"),
    ("lisp", "text/x-lisp"),
    ("nix", "text/x-nix"),
    ("sh", "text/x-shellscript"),
    ("bash", "text/x-shellscript"),
    ("zsh", "text/x-shellscript"),
    ("fish", "text/x-shellscript"),
    ("ps1", "text/x-powershell"),
    ("bat", "text/x-batch"),
    ("cmd", "text/x-batch"),
    ("sql", "application/sql"),
    ("graphql", "application/graphql"),
    ("proto", "text/x-protobuf"),
    ("tf", "text/x-terraform"),
    ("asm", "text/x-asm"),
    ("s", "text/x-asm"),
    ("vim", "text/x-vim"),
    ("cmake", "text/x-cmake"),
    ("mk", "text/x-makefile"),
    ("gradle", "text/x-groovy"),
    ("groovy", "text/x-groovy"),
    ("diff", "text/x-diff"),
    ("patch", "text/x-diff"),
];

const CODE_FILES: Table = &[
    ("makefile", "text/x-makefile"),
    ("gnumakefile", "text/x-makefile"),
    ("justfile", "text/x-makefile"),
    ("dockerfile", "text/x-dockerfile"),
    ("containerfile", "text/x-dockerfile"),
    ("cmakelists.txt", "text/x-cmake"),
    ("jenkinsfile", "text/x-groovy"),
    ("rakefile", "text/x-ruby"),
    ("gemfile", "text/x-ruby"),
    ("vagrantfile", "text/x-ruby"),
    (".bashrc", "text/x-shellscript"),
    (".profile", "text/x-shellscript"),
    (".zshrc", "text/x-shellscript"),
    (".vimrc", "text/x-vim"),
];

const INTERPRETERS: Table = &[
    ("python", "text/x-python"),
    ("sh", "text/x-shellscript"),
    ("bash", "text/x-shellscript"),
    ("dash", "text/x-shellscript"),
    ("zsh", "text/x-shellscript"),
    ("fish", "text/x-shellscript"),
    ("node", "text/javascript"),
    ("deno", "text/x-typescript"),
    ("bun", "text/x-typescript"),
    ("perl", "text/x-perl"),
    ("ruby", "text/x-ruby"),
    ("php", "text/x-php"),
    ("lua", "text/x-lua"),
    ("rscript", "text/x-r"),
    ("make", "text/x-makefile"),
];

const PACKED_DOCUMENTS: Table = &[
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("odt", "application/vnd.oasis.opendocument.text"),
    ("ods", "application/vnd.oasis.opendocument.spreadsheet"),
    ("odp", "application/vnd.oasis.opendocument.presentation"),
    ("epub", "application/epub+zip"),
    ("doc", "application/msword"),
    ("xls", "application/vnd.ms-excel"),
    ("ppt", "application/vnd.ms-powerpoint"),
];
