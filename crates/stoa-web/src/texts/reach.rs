//! How far an agent's access goes.

/// The words.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Reach {
    pub title: &'static str,
    pub everything: &'static str,
    pub everything_hint: &'static str,
    pub only: &'static str,
    pub nothing_ticked: &'static str,
    pub everywhere: &'static str,
    pub gone: fn(usize) -> String,
}

pub(super) const EN: Reach = Reach {
    title: "How far it goes",
    everything: "Everywhere that you may go",
    everything_hint: "Also to what is connected later.",
    only: "Only to what is ticked here",
    nothing_ticked: "Tick at least one place, or let it go everywhere that you may go.",
    everywhere: "everywhere that you may go",
    gone: |count| if count == 1 { "1 that is gone".to_owned() } else { format!("{count} that are gone") },
};

pub(super) const ES: Reach = Reach {
    title: "Hasta dónde llega",
    everything: "A todas partes adonde puedes llegar tú",
    everything_hint: "También a lo que se conecte más adelante.",
    only: "Solo a lo que está marcado aquí",
    nothing_ticked: "Marca al menos un lugar, o deja que llegue a todas partes adonde puedes llegar tú.",
    everywhere: "a todas partes adonde puedes llegar tú",
    gone: |count| {
        if count == 1 { "1 que ya no está".to_owned() } else { format!("{count} que ya no están") }
    },
};
