//! The first page.

/// The words.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Home {
    pub title: &'static str,
    pub services: &'static str,
    pub connect: &'static str,
    pub connect_about: &'static str,
    pub address: &'static str,
    pub all: &'static str,
    pub file: &'static str,
    pub others: &'static str,
}

pub(super) const EN: Home = Home {
    title: "Your Stoa",
    services: "What is here",
    connect: "Connect an agent",
    connect_about: "Give your agent this address. It opens your browser, you say yes, and it is connected.",
    address: "Address",
    all: "All services",
    file: "In the project's folder, the file",
    others: "Any other: add a server of kind HTTP (or \"streamable HTTP\") with this address.",
};

pub(super) const ES: Home = Home {
    title: "Tu Stoa",
    services: "Qué hay aquí",
    connect: "Conectar un agente",
    connect_about: "Da a tu agente esta dirección. Abrirá tu navegador, dirás que sí y quedará conectado.",
    address: "Dirección",
    all: "Todos los servicios",
    file: "En la carpeta del proyecto, el archivo",
    others: "Cualquier otro: añade un servidor de tipo HTTP (o «streamable HTTP») con esta dirección.",
};
