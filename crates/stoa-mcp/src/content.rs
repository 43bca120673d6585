//! Content as clients show it: the blocks of a tool's answer and of a prompt's messages, and what is read of a
//! resource.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};

/// One block of content (MCP, Tools, Tool Result).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Content {
    /// Text for a model to read.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    Image(Media),
    /// A sound.
    Audio(Media),
    /// A resource, with what is in it.
    Resource {
        /// What is in it.
        resource: ResourceContents,
    },
}

impl Content {
    /// A block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }
}

/// Bytes of a media type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Media {
    /// The bytes; base64 on the wire.
    #[serde(serialize_with = "base64")]
    pub data: Vec<u8>,
    /// The media type: `image/png`.
    pub mime_type: String,
}

/// What is in a resource (MCP, Resources, Resource Contents).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceContents {
    /// The resource.
    pub uri: String,
    /// The media type: `text/plain`.
    pub mime_type: String,
    /// Text or bytes.
    #[serde(flatten)]
    pub body: Body,
}

/// The body of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Body {
    /// Text.
    Text(String),
    /// Bytes; base64 on the wire.
    Blob(#[serde(serialize_with = "base64")] Vec<u8>),
}

fn base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use serde_json::{json, to_value};

    use super::*;

    #[test]
    fn each_block_has_the_form_of_the_specification() {
        let png = Media { data: vec![1, 2, 3], mime_type: "image/png".to_owned() };
        let read =
            |body| ResourceContents { uri: "a:b".to_owned(), mime_type: "text/plain".to_owned(), body };
        for (content, expected) in [
            (Content::text("a"), json!({ "type": "text", "text": "a" })),
            (
                Content::Image(png.clone()),
                json!({ "type": "image", "data": "AQID", "mimeType": "image/png" }),
            ),
            (Content::Audio(png), json!({ "type": "audio", "data": "AQID", "mimeType": "image/png" })),
            (
                Content::Resource { resource: read(Body::Text("b".to_owned())) },
                json!({ "type": "resource", "resource": { "uri": "a:b", "mimeType": "text/plain", "text": "b" } }),
            ),
            (
                Content::Resource { resource: read(Body::Blob(vec![1, 2, 3])) },
                json!({ "type": "resource", "resource": { "uri": "a:b", "mimeType": "text/plain", "blob": "AQID" } }),
            ),
        ] {
            assert_eq!(to_value(content).unwrap(), expected);
        }
    }
}
