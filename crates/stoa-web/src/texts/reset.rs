//! Where a lost password is replaced.

/// The words.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Reset {
    pub title: &'static str,
    pub about: &'static str,
    pub password: &'static str,
    pub set: &'static str,
    pub not_good: &'static str,
}

pub(super) const EN: Reset = Reset {
    title: "A new way to sign in",
    about: "Choose a new password, or a passkey. Wherever you are signed in now, you will be signed out.",
    password: "New password",
    set: "Set it and sign in",
    not_good: "This link was used already, or is older than an hour. Ask whoever runs the server for a new one.",
};

pub(super) const ES: Reset = Reset {
    title: "Otra manera de entrar",
    about: "Elige una contraseña nueva o una llave de acceso. Se cerrará tu sesión en todos los sitios donde la tengas abierta.",
    password: "Contraseña nueva",
    set: "Guardarla e iniciar sesión",
    not_good: "Este enlace ya se usó o tiene más de una hora. Pide otro a quien lleva el servidor.",
};
