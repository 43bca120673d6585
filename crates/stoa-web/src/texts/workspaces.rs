//! A person's workspaces.

/// The words.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Workspaces {
    pub title: &'static str,
    pub about: &'static str,
    pub none: &'static str,
    pub new: &'static str,
    pub name: &'static str,
    pub name_hint: &'static str,
    pub make: &'static str,
    pub not_a_name: &'static str,
    pub name_taken: &'static str,
    pub not_allowed: &'static str,
}

pub(super) const EN: Workspaces = Workspaces {
    title: "Workspaces",
    about: "Each has its own people, files, agents and activity. Choose one to go there.",
    none: "You belong to no workspace. Somebody who owns one can invite you.",
    new: "New workspace",
    name: "Name",
    name_hint: "Up to 40 lower-case letters, digits and hyphens: it stands in addresses.",
    make: "Make the workspace",
    not_a_name: "A name has 1 to 40 lower-case letters, digits and hyphens, and does not begin with a hyphen.",
    name_taken: "There is a workspace with this name already.",
    not_allowed: "Only an owner of the workspace \"default\" makes new ones.",
};

pub(super) const ES: Workspaces = Workspaces {
    title: "Espacios de trabajo",
    about: "Cada uno tiene su gente, sus archivos, sus agentes y su actividad. Elige uno para ir a él.",
    none: "No perteneces a ningún espacio de trabajo. Quien posee uno puede invitarte.",
    new: "Nuevo espacio de trabajo",
    name: "Nombre",
    name_hint: "Hasta 40 letras minúsculas, cifras y guiones: aparece en las direcciones.",
    make: "Crear el espacio de trabajo",
    not_a_name: "Un nombre tiene de 1 a 40 letras minúsculas, cifras y guiones, y no empieza por guion.",
    name_taken: "Ya hay un espacio de trabajo con este nombre.",
    not_allowed: "Solo quien posee el espacio de trabajo «default» crea otros nuevos.",
};
