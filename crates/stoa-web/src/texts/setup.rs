//! Where the owner's account is made.

/// The words.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Setup {
    pub title: &'static str,
    pub about: &'static str,
    pub email: &'static str,
    pub password: &'static str,
    pub password_hint: &'static str,
    pub make: &'static str,
    pub not_an_email: &'static str,
    pub password_short: &'static str,
    pub password_long: &'static str,
    pub password_common: &'static str,
    pub password_address: &'static str,
    pub needs_script: &'static str,
    pub not_good: &'static str,
}

pub(super) const EN: Setup = Setup {
    title: "Welcome to Stoa",
    about: "Make the account that owns this server. It is yours alone: nothing leaves this machine.",
    email: "Email address",
    password: "Password",
    password_hint: "At least 12 characters. A few unrelated words do well.",
    make: "Make my account",
    not_an_email: "This is no email address.",
    password_short: "This password is shorter than 12 characters.",
    password_long: "This password is longer than 256 characters.",
    password_common: "This is one of the passwords that are tried first. Choose another.",
    password_address: "A password must not be the address that it belongs to.",
    needs_script: "This page reads its one-time key with JavaScript, which is switched off in this browser.",
    not_good: "This link was used already, or is older than a day. On the server, `stoa setup-link` prints a new one.",
};

pub(super) const ES: Setup = Setup {
    title: "Te damos la bienvenida a Stoa",
    about: "Crea la cuenta a la que pertenece este servidor. Es solo tuya: nada sale de esta máquina.",
    email: "Correo electrónico",
    password: "Contraseña",
    password_hint: "Al menos 12 caracteres. Unas cuantas palabras sin relación van bien.",
    make: "Crear mi cuenta",
    not_an_email: "Esto no es un correo electrónico.",
    password_short: "Esta contraseña tiene menos de 12 caracteres.",
    password_long: "Esta contraseña tiene más de 256 caracteres.",
    password_common: "Esta es una de las contraseñas que se prueban primero. Elige otra.",
    password_address: "Una contraseña no puede ser el correo al que pertenece.",
    needs_script: "Esta página lee su clave de un solo uso con JavaScript, que está desactivado en este navegador.",
    not_good: "Este enlace ya se usó o tiene más de un día. En el servidor, `stoa setup-link` da uno nuevo.",
};
