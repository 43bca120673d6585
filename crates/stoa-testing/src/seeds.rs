//! Small whole documents, one of each format, rich enough that a parser has something to do: what tests of
//! parsers read, and what tests of bad input damage.

mod mail;
mod office;
pub mod open;
pub mod packed;
pub mod pdf;

/// A document and what stands in it.
#[derive(Clone, Debug)]
pub struct Seed {
    /// Its file name.
    pub name: &'static str,
    /// The media type that its content tells.
    pub mime: &'static str,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What it calls itself.
    pub title: Option<&'static str>,
    /// Phrases that are read in it.
    pub words: &'static [&'static str],
}

/// One of each format.
#[must_use]
pub fn all() -> Vec<Seed> {
    [pdf::all(), office::all(), open::all(), mail::all(), packed::all()].concat()
}

/// A rich text that says what it is for.
const LETTER: &str = r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss Arial;}{\f1\fcharset204 Arial;}}
{\colortbl;\red255\green0\blue0;}{\info{\title Letter to the keeper}{\author Ansgar}{\keywords gale}}
{\*\generator Stoa}\pard\f0 Dear \b keeper\b0 ,\par the caf\'e9 {\f1\'cf\'f0\'e8\'e2\'e5\'f2} closes\emdash
{\field{\*\fldinst HYPERLINK x}{\fldrslt read on}}.\par\u9731? {\pict\pngblip 89504e47}\tab End.\par}";
