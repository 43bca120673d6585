//! Mails and a mailbox, and rich text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::{LETTER, Seed, open};

pub(super) fn all() -> Vec<Seed> {
    vec![
        Seed {
            name: "gale.eml",
            mime: "message/rfc822",
            bytes: mail().into_bytes(),
            title: Some("Warnung vor Böen"),
            words: &[
                "ada@example.com",
                "The gale comes at dusk",
                "Attachment: log.odt",
                "The tide turned",
                "Anchor ✓",
            ],
        },
        Seed {
            name: "inbox.mbox",
            mime: "application/mbox",
            bytes: mailbox().into_bytes(),
            title: None,
            words: &["First of the crew", "ropes are dry", "Second of the crew", "From here on, north"],
        },
        Seed {
            name: "letter.rtf",
            mime: "application/rtf",
            bytes: LETTER.as_bytes().to_vec(),
            title: Some("Letter to the keeper"),
            words: &["Dear keeper", "café Привет closes—", "read on", "☃", "Author: Ansgar"],
        },
    ]
}

fn mail() -> String {
    let log = STANDARD.encode(open::log());
    format!(
        "From: Ada <ada@example.com>\r\nTo: =?utf-8?B?QsOpbGE=?= <bela@example.com>\r\n\
         Subject: =?iso-8859-1?Q?Warnung_vor_B=F6en?=\r\nDate: Mon, 1 Jan 2024 10:00:00 +0100\r\n\
         MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=outer\r\n\r\n\
         --outer\r\nContent-Type: multipart/alternative; boundary=inner\r\n\r\n\
         --inner\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
         The gale comes at dusk. Anchor =E2=9C=93\r\n\
         --inner\r\nContent-Type: text/html\r\n\r\n<p>The gale comes at <b>dusk</b>.</p>\r\n--inner--\r\n\
         --outer\r\nContent-Type: application/vnd.oasis.opendocument.text; name=\"log.odt\"\r\n\
         Content-Disposition: attachment; filename=\"log.odt\"\r\nContent-Transfer-Encoding: base64\r\n\r\n\
         {log}\r\n--outer--\r\n"
    )
}

fn mailbox() -> String {
    let mail = |subject: &str, body: &str| {
        format!(
            "From ada@example.com Mon Jan  1 10:00:00 2024\nFrom: ada@example.com\nTo: crew@example.com\n\
             Subject: {subject}\nDate: Mon, 1 Jan 2024 10:00:00 +0100\n\n{body}\n\n"
        )
    };
    mail("First of the crew", "The ropes are dry.") + &mail("Second of the crew", ">From here on, north.")
}
