//! Each kind of content, and an error.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures::FutureExt;
use stoa_mcp::{Answer, Body, Content, Media, ResourceContents, Tool, ToolError};

use crate::tool::tool;

/// One red pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/// A WAV file of no length.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

pub fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        tool("test_simple_text", "Says something.", |_| {
            ready(vec![Content::text("This is a simple text response for testing.")])
        }),
        tool("test_image_content", "Shows one pixel.", |_| ready(vec![image()])),
        tool("test_audio_content", "Plays nothing.", |_| {
            ready(vec![Content::Audio(media(WAV, "audio/wav"))])
        }),
        tool("test_embedded_resource", "Gives a resource.", |_| {
            ready(vec![resource(
                "test://embedded-resource",
                "text/plain",
                "This is an embedded resource content.",
            )])
        }),
        tool("test_multiple_content_types", "Gives several kinds of content.", |_| {
            ready(vec![
                Content::text("Multiple content types test:"),
                image(),
                resource(
                    "test://mixed-content-resource",
                    "application/json",
                    r#"{"test":"data","value":123}"#,
                ),
            ])
        }),
        tool("test_error_handling", "Always fails.", |_| {
            let failed =
                ToolError::failed("Fixture::Failed", "This tool intentionally returns an error for testing");
            async { Err(failed) }.boxed()
        }),
    ]
}

fn ready(blocks: Vec<Content>) -> futures::future::BoxFuture<'static, Result<Answer, ToolError>> {
    async { Ok(Answer::content(blocks)) }.boxed()
}

/// One pixel, as a block.
pub fn image() -> Content {
    Content::Image(media(PNG, "image/png"))
}

/// One pixel, as bytes.
pub fn pixel() -> Vec<u8> {
    media(PNG, "image/png").data
}

fn media(base64: &str, mime_type: &str) -> Media {
    let data = STANDARD.decode(base64).unwrap_or_default();
    Media { data, mime_type: mime_type.to_owned() }
}

/// A resource of text, as a block.
pub fn resource(uri: &str, mime_type: &str, text: &str) -> Content {
    Content::Resource { resource: contents(uri, mime_type, Body::Text(text.to_owned())) }
}

/// What is in a resource.
pub fn contents(uri: &str, mime_type: &str, body: Body) -> ResourceContents {
    ResourceContents { uri: uri.to_owned(), mime_type: mime_type.to_owned(), body }
}
