//! Where people sign in.

use std::time::Duration;

/// The words.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct SignIn {
    pub title: &'static str,
    pub email: &'static str,
    pub password: &'static str,
    pub sign_in: &'static str,
    pub to_go_on: &'static str,
    pub to_be_sure: &'static str,
    pub or: &'static str,
    pub refused: &'static str,
    pub too_many: fn(u64) -> String,
    pub busy: &'static str,
    pub code_title: &'static str,
    pub code: &'static str,
    pub code_hint: &'static str,
    pub code_hint_passkey: &'static str,
    pub recovery_code: &'static str,
    pub or_passkey: &'static str,
    pub code_refused: &'static str,
    pub lost: &'static str,
    pub or_elsewhere: &'static str,
    pub sign_in_at: fn(&str) -> String,
    pub provider_away: fn(&str) -> String,
    pub provider_late: &'static str,
    pub provider_unproven: fn(&str) -> String,
    pub provider_unverified: fn(&str) -> String,
    pub provider_not_linked: &'static str,
    pub provider_not_invited: &'static str,
}

impl SignIn {
    /// What leads to the OpenID provider.
    #[must_use]
    pub fn at_provider(&self, name: &str) -> String {
        (self.sign_in_at)(name)
    }

    /// That too much was tried, and when to come again.
    #[must_use]
    pub fn wait(&self, after: Duration) -> String {
        (self.too_many)(after.as_secs() + 1)
    }
}

pub(super) const EN: SignIn = SignIn {
    title: "Sign in",
    email: "Email address",
    password: "Password",
    sign_in: "Sign in",
    to_go_on: "Sign in to go on.",
    to_be_sure: "For this, sign in once more.",
    or: "Or without a password:",
    refused: "This address and this password don't belong together.",
    too_many: |seconds| format!("Too many attempts. Try again in {seconds} seconds."),
    busy: "Too many people are signing in just now. Try again in a moment.",
    code_title: "One more step",
    code: "Code",
    code_hint: "From your authenticator app, or one of your recovery codes.",
    code_hint_passkey: "Each is good once.",
    recovery_code: "Recovery code",
    or_passkey: "One of your passkeys does as well:",
    code_refused: "This code is not good, or was used already.",
    lost: "Lost your password? Whoever runs the server can run `stoa account reset` with your address.",
    or_elsewhere: "Or with the account that you have there:",
    sign_in_at: |name| format!("Sign in with {name}"),
    provider_away: |name| {
        format!("{name} can't be reached just now. Try again in a moment, or sign in another way.")
    },
    provider_late: "This took too long, or was begun in another browser. Try again.",
    provider_unproven: |name| format!("{name} did not sign you in. Try again, or sign in another way."),
    provider_unverified: |name| {
        format!("{name} has not verified your email address. Verify it there, then try again.")
    },
    provider_not_linked: "There is an account with your email address: sign in to it as you did before.",
    provider_not_invited: "There is no account for you here. Ask an owner of the workspace to invite you.",
};

pub(super) const ES: SignIn = SignIn {
    title: "Iniciar sesión",
    email: "Correo electrónico",
    password: "Contraseña",
    sign_in: "Iniciar sesión",
    to_go_on: "Inicia sesión para continuar.",
    to_be_sure: "Para esto, inicia sesión otra vez.",
    or: "O sin contraseña:",
    refused: "Este correo y esta contraseña no van juntos.",
    too_many: |seconds| format!("Demasiados intentos. Vuelve a probar en {seconds} segundos."),
    busy: "Demasiadas personas están iniciando sesión ahora mismo. Vuelve a probar en un momento.",
    code_title: "Un paso más",
    code: "Código",
    code_hint: "El de tu aplicación de autenticación, o uno de tus códigos de recuperación.",
    code_hint_passkey: "Cada uno vale una vez.",
    recovery_code: "Código de recuperación",
    or_passkey: "También vale una de tus llaves de acceso:",
    code_refused: "Este código no vale o ya se usó.",
    lost: "¿Has perdido la contraseña? Quien lleva el servidor puede ejecutar `stoa account reset` con tu correo.",
    or_elsewhere: "O con la cuenta que tienes allí:",
    sign_in_at: |name| format!("Iniciar sesión con {name}"),
    provider_away: |name| {
        format!(
            "Ahora mismo no se puede llegar a {name}. Vuelve a probar en un momento o inicia sesión de otra manera."
        )
    },
    provider_late: "Esto ha tardado demasiado o se empezó en otro navegador. Vuelve a probar.",
    provider_unproven: |name| {
        format!("{name} no ha iniciado tu sesión. Vuelve a probar o inicia sesión de otra manera.")
    },
    provider_unverified: |name| {
        format!("{name} no ha verificado tu correo. Verifícalo allí y vuelve a probar.")
    },
    provider_not_linked: "Hay una cuenta con tu correo: inicia sesión en ella como lo hacías antes.",
    provider_not_invited: "Aquí no hay ninguna cuenta para ti. Pide una invitación a quien posee el espacio de trabajo.",
};
