//! A workspace as a whole.

/// The words.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Settings {
    pub title: &'static str,
    pub owners_only: &'static str,
    pub name: &'static str,
    pub since: &'static str,
    pub quotas: &'static str,
    pub quotas_about: &'static str,
    pub keeping: &'static str,
    pub keeping_about: &'static str,
    /// What is kept, and how long.
    pub kept: [(&'static str, &'static str); 6],
    pub export: &'static str,
    pub export_about: &'static str,
    pub export_without: &'static str,
    pub download: &'static str,
    pub delete: &'static str,
    pub delete_about: &'static str,
    pub delete_keeps: &'static str,
    pub type_name: &'static str,
    pub delete_for_good: &'static str,
    pub other_name: &'static str,
    pub is_default: &'static str,
    pub deleted: &'static str,
    pub deleted_about: &'static str,
    pub to_workspaces: &'static str,
}

pub(super) const EN: Settings = Settings {
    title: "Settings",
    owners_only: "Only the owners of a workspace find its settings here.",
    name: "Workspace",
    since: "Made",
    quotas: "Quotas",
    quotas_about: "For each agent. Whoever runs this server sets them, for every workspace alike.",
    keeping: "How long things are kept",
    keeping_about: "The same for every workspace.",
    kept: [
        ("Activity", "for good: a gap could not be told from tampering"),
        ("Runs", "30 days after their end"),
        ("Files that are gone", "30 days after the last copy went"),
        ("What clients were about (Diagnosis)", "a week"),
        ("Invitations", "30 days after their end"),
        ("Agents and tokens that were ended", "for good: the activity names them"),
    ],
    export: "Take everything away",
    export_about: "One archive (tar.gz) with the rows of this workspace as JSON lines: people, agents, places, files with \
        the text that was read of them, runs, activity.",
    export_without: "Without passwords, tokens and what they are compared with, and without what others asked for. The files \
        themselves stay where they are.",
    download: "Download the archive",
    delete: "Delete this workspace",
    delete_about: "Everybody and every agent is refused from the next request on. All that this workspace has here is \
        deleted for good, its activity and its storage in the data folder included. There is no way back.",
    delete_keeps: "Accounts stay, since they belong to people. Files in folders that were connected stay where they are. \
        The activity of the workspace \"default\" keeps one line: that this workspace was deleted, and by whom.",
    type_name: "To delete it, type its name",
    delete_for_good: "Delete for good",
    other_name: "That is not the name of this workspace. Nothing was deleted.",
    is_default: "The workspace \"default\" can't be deleted: it is the server's own.",
    deleted: "The workspace is gone",
    deleted_about: "Everything it had here was deleted.",
    to_workspaces: "Your workspaces",
};

pub(super) const ES: Settings = Settings {
    title: "Ajustes",
    owners_only: "Solo quienes poseen un espacio de trabajo encuentran aquí sus ajustes.",
    name: "Espacio de trabajo",
    since: "Creado",
    quotas: "Cuotas",
    quotas_about: "Para cada agente. Las fija quien opera este servidor, iguales para todos los espacios de trabajo.",
    keeping: "Cuánto se conserva cada cosa",
    keeping_about: "Lo mismo para todos los espacios de trabajo.",
    kept: [
        ("Actividad", "para siempre: un hueco no se distinguiría de una manipulación"),
        ("Ejecuciones", "30 días desde que terminan"),
        ("Archivos que ya no están", "30 días desde que desapareció la última copia"),
        ("Qué intentaron los clientes (Diagnóstico)", "una semana"),
        ("Invitaciones", "30 días desde que terminan"),
        ("Agentes y tokens terminados", "para siempre: la actividad los nombra"),
    ],
    export: "Llevárselo todo",
    export_about: "Un archivo comprimido (tar.gz) con las filas de este espacio de trabajo como líneas JSON: personas, \
        agentes, lugares, archivos con el texto que se leyó de ellos, ejecuciones y actividad.",
    export_without: "Sin contraseñas ni tokens ni aquello con lo que se comparan, y sin lo que pidieron otras personas. \
        Los archivos mismos se quedan donde están.",
    download: "Descargar el archivo comprimido",
    delete: "Eliminar este espacio de trabajo",
    delete_about: "Desde la próxima petición se rechaza a todas las personas y a todos los agentes. Se elimina para \
        siempre todo lo que este espacio de trabajo tiene aquí, también su actividad y su almacén en la carpeta de \
        datos. No hay vuelta atrás.",
    delete_keeps: "Las cuentas se quedan, porque son de las personas. Los archivos de las carpetas conectadas se quedan \
        donde están. La actividad del espacio de trabajo «default» conserva una línea: que este se eliminó, y quién lo hizo.",
    type_name: "Para eliminarlo, escribe su nombre",
    delete_for_good: "Eliminar para siempre",
    other_name: "Ese no es el nombre de este espacio de trabajo. No se ha eliminado nada.",
    is_default: "El espacio de trabajo «default» no se puede eliminar: es el del propio servidor.",
    deleted: "El espacio de trabajo ya no existe",
    deleted_about: "Se ha eliminado todo lo que tenía aquí.",
    to_workspaces: "Tus espacios de trabajo",
};
