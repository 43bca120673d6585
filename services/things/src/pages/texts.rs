//! Every word of this service's pages, in each language.

use stoa_runs::{ProgressReport, RunStatus};
use stoa_web::Language;

use crate::model::Kind;

/// The words.
#[derive(Debug)]
pub(super) struct Texts {
    pub title: &'static str,
    pub about: &'static str,
    pub resources: &'static str,
    pub runs: &'static str,
    pub pages: &'static str,

    pub query: &'static str,
    pub query_hint: &'static str,
    pub kind_of: &'static str,
    pub narrow: &'static str,
    pub in_folder: &'static str,
    pub folder_hint: &'static str,
    pub since: &'static str,
    pub before: &'static str,
    pub place: &'static str,
    pub any: &'static str,
    pub search: &'static str,
    /// How many, and whether there are more.
    pub found: fn(usize, bool) -> String,
    pub nothing: &'static str,
    /// Of how many places all is known.
    pub completeness: fn(usize, usize) -> String,
    pub seen: &'static str,
    pub and_more: fn(i64) -> String,
    pub next: &'static str,

    pub type_: &'static str,
    pub size: &'static str,
    /// A number of bytes.
    pub bytes: fn(u64) -> String,
    pub hash: &'static str,
    pub gone: &'static str,
    pub replaced_by: &'static str,
    pub where_: &'static str,
    pub changed: &'static str,
    pub text: &'static str,
    pub no_text: &'static str,
    pub read_on: &'static str,
    pub from_start: &'static str,
    pub analyze: &'static str,
    pub identify: &'static str,
    pub extract: &'static str,
    pub done: &'static str,
    pub failed: &'static str,
    pub skipped: &'static str,

    pub resources_about: &'static str,
    pub connect: &'static str,
    pub sync: &'static str,
    pub check: &'static str,
    pub last_sync: &'static str,
    pub never: &'static str,
    pub waiting: &'static str,
    pub syncing: &'static str,
    pub fresh: &'static str,
    /// How many files, how many of them new, how many could not be read.
    pub counted: fn(u64, u64, u64) -> String,
    /// After how many milliseconds.
    pub answers: fn(u64) -> String,

    pub connect_about: &'static str,
    pub name: &'static str,
    pub optional: &'static str,
    pub kinds: [&'static str; 11],
    pub folder: &'static str,
    pub a_folder: &'static str,
    pub folder_path: &'static str,
    pub folder_exclude: &'static str,
    pub roots: &'static str,
    pub no_roots: &'static str,

    pub runs_about: &'static str,
    pub no_runs: &'static str,
    pub running: &'static str,
    pub cancelled: &'static str,
    pub cancel: &'static str,
    pub run_sync: &'static str,
    pub run_analyze: &'static str,
    pub run_export: &'static str,
    pub reload: &'static str,
    /// How far, how fast, how long still.
    pub progress: fn(&ProgressReport) -> String,

    pub not_found: &'static str,
    pub denied: &'static str,
    pub over_budget: &'static str,
}

impl Texts {
    /// The words in a language.
    pub(super) const fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &EN,
            Language::Spanish => &ES,
        }
    }

    /// How the syncs of a place stand.
    pub(super) fn state(&self, state: &str) -> &'static str {
        match state {
            "queued" => self.waiting,
            "running" => self.syncing,
            "failed" => self.failed,
            "never" => self.never,
            _ => self.fresh,
        }
    }

    /// Where a run stands.
    pub(super) const fn status(&self, status: RunStatus) -> &'static str {
        match status {
            RunStatus::Queued => self.waiting,
            RunStatus::Running => self.running,
            RunStatus::Done => self.done,
            RunStatus::Failed => self.failed,
            RunStatus::Cancelled => self.cancelled,
        }
    }

    /// What a run does.
    pub(super) fn run(&self, kind: &str) -> Option<&'static str> {
        Some(match kind {
            "sync" => self.run_sync,
            "analyze" => self.run_analyze,
            "export" => self.run_export,
            _ => return None,
        })
    }

    /// What an analysis step is.
    pub(super) fn step(&self, step: &str) -> Option<&'static str> {
        Some(match step {
            "identify" => self.identify,
            "text" => self.extract,
            _ => return None,
        })
    }

    /// How an analysis step went.
    pub(super) fn step_outcome(&self, status: &str) -> &'static str {
        match status {
            "failed" => self.failed,
            "skipped" => self.skipped,
            _ => self.done,
        }
    }

    /// What sort of content a thing is.
    pub(super) fn kind(&self, kind: Kind) -> &'static str {
        let at = Kind::ALL.iter().position(|one| *one == kind);
        at.map_or(kind.as_str(), |at| self.kinds[at])
    }

    /// What a kind of connector is called; `None`: its own name must do.
    pub(super) fn connector(&self, name: &str) -> Option<&'static str> {
        (name == "folder").then_some(self.folder)
    }

    /// What a kind of connector reaches; `None`: its own description must do.
    pub(super) fn reaches(&self, name: &str) -> Option<&'static str> {
        (name == "folder").then_some(self.a_folder)
    }

    /// What a connector's setting is; `None`: its own description must do.
    pub(super) fn setting(&self, connector: &str, name: &str) -> Option<&'static str> {
        Some(match (connector, name) {
            ("folder", "path") => self.folder_path,
            ("folder", "exclude") => self.folder_exclude,
            _ => return None,
        })
    }
}

const EN: Texts = Texts {
    title: "Things",
    about: "Everything in the places that are connected, found by words in title, path and text.",
    resources: "Places",
    runs: "Runs",
    pages: "Pages of things",
    query: "Search for",
    query_hint: "Words; \"words side by side\"; -without; begin* of a word.",
    kind_of: "Kind",
    narrow: "Narrow it down",
    in_folder: "In the folder",
    folder_hint: "Such as 2024/invoices, and all below it.",
    since: "Catalogued since",
    before: "Catalogued before",
    place: "Place",
    any: "Any",
    search: "Search",
    found: |total, more| match (total, more) {
        (1, false) => "1 thing".to_owned(),
        (total, false) => format!("{total} things"),
        (total, true) => format!("More than {total} things"),
    },
    nothing: "Nothing matches. Other words, or fewer, may find it.",
    completeness: |synced, of| match of {
        0 => "No place is connected yet.".to_owned(),
        _ => format!("{synced} of {of} places are fully catalogued."),
    },
    seen: "first seen",
    and_more: |more| format!("and {more} more"),
    next: "More",
    type_: "Type",
    size: "Size",
    bytes: |bytes| size(bytes, '.'),
    hash: "BLAKE3",
    gone: "Its last copy is gone.",
    replaced_by: "What took its place",
    where_: "Where it is",
    changed: "changed",
    text: "Text",
    no_text: "It has no text.",
    read_on: "Read on",
    from_start: "From the beginning",
    analyze: "Analyze again",
    identify: "Kind",
    extract: "Text",
    done: "Done",
    failed: "Failed",
    skipped: "Not needed",
    resources_about: "The places that your agents can search. Nothing in them is ever changed.",
    connect: "Connect a place",
    sync: "Sync now",
    check: "Check",
    last_sync: "Last synced",
    never: "Never synced",
    waiting: "Waiting",
    syncing: "Syncing",
    fresh: "Synced",
    counted: |files, added, failed| match failed {
        0 => format!("{files} files, {added} new"),
        _ => format!("{files} files, {added} new, {failed} unreadable"),
    },
    answers: |ms| format!("It answers, within {ms} ms."),
    connect_about: "It is listed and read, never changed. Its text stays on this server.",
    name: "Name",
    optional: "may be left empty",
    kinds: Kind::WORDS,
    folder: "Folder",
    a_folder: "A folder of the server's machine",
    folder_path: "The folder's path",
    folder_exclude: "Names to leave out, with * and ?, separated by commas (.git,.hg,.svn unless set)",
    roots: "Folders at or below these may be connected",
    no_roots: "This server lets no folder be connected from a page. Whoever runs it can list folders in `things.folder_roots`, or connect one on its machine:",
    runs_about: "What was started here, by you and your agents.",
    no_runs: "Nothing was started yet.",
    running: "Running",
    cancelled: "Cancelled",
    cancel: "Cancel",
    run_sync: "Sync",
    run_analyze: "Analysis",
    run_export: "Export",
    reload: "Reload the page to see how far it is.",
    progress: |progress| {
        let done = progress.done;
        let of = progress.total.map_or_else(|| format!("{done}"), |total| format!("{done} of {total}"));
        let rate = progress.rate.map(|rate| format!("{rate:.0} a second"));
        let left = progress.eta_seconds.map(|seconds| format!("about {} left", span(seconds)));
        [Some(of), rate, left].into_iter().flatten().collect::<Vec<_>>().join(" · ")
    },
    not_found: "There is no such thing here, or none within your reach.",
    denied: "Your role in this workspace does not allow this. Ask an owner or admin.",
    over_budget: "Too much was started within this hour. Try again later.",
};

const ES: Texts = Texts {
    title: "Things",
    about: "Todo lo que hay en los lugares conectados, por palabras del título, la ruta y el texto.",
    resources: "Lugares",
    runs: "Ejecuciones",
    pages: "Páginas de cosas",
    query: "Buscar",
    query_hint: "Palabras; \"palabras seguidas\"; -sin; comienzo* de una palabra.",
    kind_of: "Clase",
    narrow: "Acotar la búsqueda",
    in_folder: "En la carpeta",
    folder_hint: "Por ejemplo 2024/facturas, y todo lo que hay debajo.",
    since: "Catalogado desde",
    before: "Catalogado antes de",
    place: "Lugar",
    any: "Cualquiera",
    search: "Buscar",
    found: |total, more| match (total, more) {
        (1, false) => "1 cosa".to_owned(),
        (total, false) => format!("{total} cosas"),
        (total, true) => format!("Más de {total} cosas"),
    },
    nothing: "No hay nada que coincida. Quizá con otras palabras, o con menos.",
    completeness: |synced, of| match of {
        0 => "Aún no hay ningún lugar conectado.".to_owned(),
        _ => format!("{synced} de {of} lugares están catalogados por completo."),
    },
    seen: "vista por primera vez",
    and_more: |more| format!("y {more} más"),
    next: "Más",
    type_: "Tipo",
    size: "Tamaño",
    bytes: |bytes| size(bytes, ','),
    hash: "BLAKE3",
    gone: "Su última copia ya no está.",
    replaced_by: "Lo que ocupó su lugar",
    where_: "Dónde está",
    changed: "cambiada",
    text: "Texto",
    no_text: "No tiene texto.",
    read_on: "Seguir leyendo",
    from_start: "Desde el principio",
    analyze: "Analizar de nuevo",
    identify: "Clase",
    extract: "Texto",
    done: "Hecho",
    failed: "Falló",
    skipped: "No hace falta",
    resources_about: "Los lugares en los que tus agentes pueden buscar. Nunca se cambia nada en ellos.",
    connect: "Conectar un lugar",
    sync: "Sincronizar ahora",
    check: "Comprobar",
    last_sync: "Última sincronización",
    never: "Nunca sincronizado",
    waiting: "En espera",
    syncing: "Sincronizando",
    fresh: "Sincronizado",
    counted: |files, added, failed| match failed {
        0 => format!("{files} archivos, {added} nuevos"),
        _ => format!("{files} archivos, {added} nuevos, {failed} ilegibles"),
    },
    answers: |ms| format!("Responde, en {ms} ms."),
    connect_about: "Se lista y se lee, nunca se cambia. Su texto se queda en este servidor.",
    name: "Nombre",
    optional: "puede quedar vacío",
    kinds: [
        "documento",
        "imagen",
        "audio",
        "vídeo",
        "correo",
        "código",
        "datos",
        "archivo comprimido",
        "web",
        "nota",
        "otro",
    ],
    folder: "Carpeta",
    a_folder: "Una carpeta de la máquina del servidor",
    folder_path: "La ruta de la carpeta",
    folder_exclude: "Nombres que se dejan fuera, con * y ?, separados por comas (.git,.hg,.svn si no se indica)",
    roots: "Se pueden conectar las carpetas que sean estas o estén dentro",
    no_roots: "Este servidor no permite conectar carpetas desde una página. Quien lo administra puede indicar carpetas en `things.folder_roots`, o conectar una en su máquina:",
    runs_about: "Lo que tú y tus agentes habéis puesto en marcha aquí.",
    no_runs: "Aún no se ha puesto nada en marcha.",
    running: "En marcha",
    cancelled: "Cancelado",
    cancel: "Cancelar",
    run_sync: "Sincronización",
    run_analyze: "Análisis",
    run_export: "Exportación",
    reload: "Vuelve a cargar la página para ver por dónde va.",
    progress: |progress| {
        let done = progress.done;
        let of = progress.total.map_or_else(|| format!("{done}"), |total| format!("{done} de {total}"));
        let rate = progress.rate.map(|rate| format!("{rate:.0} por segundo"));
        let left = progress.eta_seconds.map(|seconds| format!("quedan unos {}", span(seconds)));
        [Some(of), rate, left].into_iter().flatten().collect::<Vec<_>>().join(" · ")
    },
    not_found: "Aquí no hay nada así, o no está a tu alcance.",
    denied: "Tu papel en este espacio de trabajo no lo permite. Pídelo a quien lo administra.",
    over_budget: "Se ha puesto demasiado en marcha en esta hora. Inténtalo más tarde.",
};

/// `1.4 MB`, with the language's decimal sign.
fn size(bytes: u64, point: char) -> String {
    let units = ["kB", "MB", "GB", "TB"];
    if bytes < 1_000 {
        return format!("{bytes} B");
    }
    let (mut tenths, mut unit) = (bytes / 100, 0);
    while tenths >= 10_000 && unit + 1 < units.len() {
        (tenths, unit) = (tenths / 1_000, unit + 1);
    }
    format!("{}{point}{} {}", tenths / 10, tenths % 10, units[unit])
}

/// `3 min`.
fn span(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_said_as_people_say_them() {
        assert_eq!([size(999, '.'), size(1_449, '.'), size(2_000_000, ',')], ["999 B", "1.4 kB", "2,0 MB"]);
        assert_eq!(size(1_234_000_000_000_000, '.'), "1234.0 TB");
        assert_eq!([span(59), span(61), span(7_200)], ["59 s", "1 min", "2 h"]);
    }
}
