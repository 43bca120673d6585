//! Where somebody asks for a link for a new password.

/// The words.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Forgot {
    pub title: &'static str,
    pub about: &'static str,
    pub ask: &'static str,
    pub asked: &'static str,
    pub look: &'static str,
    pub again: &'static str,
}

pub(super) const EN: Forgot = Forgot {
    title: "Lost your password?",
    about: "Say with which address you sign in, and a link for a new password is mailed there.",
    ask: "Mail the link",
    asked: "If there is an account with this address, a link is on its way there. It is good once, for 1 hour.",
    look: "Nothing came? Look among the unwanted mails, and see that the address is the one with which you sign in. A few mails an hour are sent to one address.",
    again: "Have another link mailed",
};

pub(super) const ES: Forgot = Forgot {
    title: "¿Has perdido la contraseña?",
    about: "Di con qué correo inicias sesión y te enviaremos allí un enlace para una contraseña nueva.",
    ask: "Enviar el enlace",
    asked: "Si hay una cuenta con este correo, el enlace va de camino. Vale una vez, durante 1 hora.",
    look: "¿No llegó nada? Mira entre el correo no deseado y comprueba que sea el correo con el que inicias sesión. A un mismo correo se envían pocos mensajes por hora.",
    again: "Pedir otro enlace por correo",
};
