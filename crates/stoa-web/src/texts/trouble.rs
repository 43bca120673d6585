//! What went wrong.

/// The words.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Trouble {
    pub title: &'static str,
    pub not_found: &'static str,
    pub nothing_waits: &'static str,
    pub not_a_member: &'static str,
    pub tampered: &'static str,
    pub unknown_client: &'static str,
    pub document: &'static str,
    pub redirect: &'static str,
    pub too_many: &'static str,
    pub too_fast: &'static str,
    pub what_to_do: &'static str,
    pub forget: &'static str,
    pub server: &'static str,
    pub in_terminal: &'static str,
    pub in_session: &'static str,
    pub in_palette: &'static str,
    pub folder: &'static str,
    pub detail: &'static str,
}

pub(super) const EN: Trouble = Trouble {
    title: "That did not work",
    not_found: "There is nothing at this address.",
    nothing_waits: "This page was used already, or waited longer than 15 minutes.",
    not_a_member: "There is no such workspace, or you don't belong to it. Its owner can invite you.",
    tampered: "What was ticked is not what the program asked for.",
    unknown_client: "The program that sent you here is not known to this server.",
    document: "The program's description could not be read.",
    redirect: "The program wants the answer sent to a place that it did not register, or that answers must not go to.",
    too_many: "Too many new programs came at once. Try again later, or use a personal token.",
    too_fast: "Too many requests came from your address. Wait a moment and try again.",
    what_to_do: "Go back to your program and connect again. If that does not help, have it forget this server first.",
    forget: "Have your program forget this server, then connect again:",
    server: "NAME is what your program calls this server.",
    in_terminal: "run in a terminal",
    in_session: "type in a session",
    in_palette: "run from the command palette",
    folder: "delete the folder",
    detail: "Detail",
};

pub(super) const ES: Trouble = Trouble {
    title: "No ha funcionado",
    not_found: "No hay nada en esta dirección.",
    nothing_waits: "Esta página ya se usó o esperó más de 15 minutos.",
    not_a_member: "No existe tal espacio de trabajo, o no perteneces a él. Quien lo administra puede invitarte.",
    tampered: "Lo marcado no es lo que el programa pidió.",
    unknown_client: "Este servidor no conoce al programa que te envió aquí.",
    document: "No se pudo leer la descripción del programa.",
    redirect: "El programa quiere que la respuesta vaya a un lugar que no registró o al que no debe ir.",
    too_many: "Llegaron demasiados programas nuevos a la vez. Vuelve a probar más tarde o usa un token personal.",
    too_fast: "Llegaron demasiadas peticiones desde tu dirección. Espera un momento y vuelve a probar.",
    what_to_do: "Vuelve a tu programa y conéctalo otra vez. Si no ayuda, haz que antes olvide este servidor.",
    forget: "Haz que tu programa olvide este servidor y conéctalo otra vez:",
    server: "NAME es el nombre que tu programa da a este servidor.",
    in_terminal: "ejecuta en un terminal",
    in_session: "escribe en una sesión",
    in_palette: "ejecuta desde la paleta de comandos",
    folder: "borra la carpeta",
    detail: "Detalle",
};
