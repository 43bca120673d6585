//! Around every page.

/// The words.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Shell {
    pub skip: &'static str,
    pub home: &'static str,
    pub agents: &'static str,
    pub diagnosis: &'static str,
    pub security: &'static str,
    pub sign_out: &'static str,
    pub signed_in_as: &'static str,
    pub language: &'static str,
    pub navigation: &'static str,
    pub copy: &'static str,
    pub copied: &'static str,
}

pub(super) const EN: Shell = Shell {
    skip: "Skip to the content",
    home: "Home",
    agents: "Agents",
    diagnosis: "Diagnosis",
    security: "Security",
    sign_out: "Sign out",
    signed_in_as: "Signed in as",
    language: "Language",
    navigation: "Pages",
    copy: "Copy",
    copied: "Copied",
};

pub(super) const ES: Shell = Shell {
    skip: "Ir al contenido",
    home: "Inicio",
    agents: "Agentes",
    diagnosis: "Diagnóstico",
    security: "Seguridad",
    sign_out: "Cerrar sesión",
    signed_in_as: "Sesión de",
    language: "Idioma",
    navigation: "Páginas",
    copy: "Copiar",
    copied: "Copiado",
};
