//! What a text is written in: markup, data, keys, mail, programs.
//!
//! The first bytes decide where a format has a fixed beginning. Programming languages have none: for
//! those, lines are looked at one by one until one of them could hardly be anything else.

use std::borrow::Cow;

use luminos_core::scan::Category::{self, Config, Data, Document, Media, Source};
use memchr::{memchr, memmem};

use super::json::{self, Json};
use super::script;

mod lines;

/// What a text seems to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Guess {
    pub(super) category: Category,
    pub(super) name: Cow<'static, str>,
    pub(super) place: Place,
}

/// Where the name stands in the description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The name tells all; encoding and line ends are not mentioned.
    Alone,
    /// The encoding follows.
    Before,
    /// The encoding follows, and the word `executable`.
    BeforeExecutable,
}

use Place::{Alone, Before};

impl Guess {
    fn new(category: Category, name: impl Into<Cow<'static, str>>, place: Place) -> Self {
        Guess { category, name: name.into(), place }
    }
}

/// Guesses what a text is, from its first bytes.
pub(super) fn guess(text: &[u8], size: u64) -> Option<Guess> {
    let whole = text.len() as u64 == size;
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let solid = text.trim_ascii_start();
    match solid.first()? {
        b'#' if text.starts_with(b"#!") => script::guess(text),
        b'{' | b'[' => json(text, whole).or_else(|| by_beginning(text)).or_else(|| lines::guess(text)),
        b'<' => markup(solid),
        b'-' => by_beginning(text).or_else(|| key(text)).or_else(|| lines::guess(text)),
        _ => by_beginning(text)
            .or_else(|| changes(text))
            .or_else(|| table(text))
            .or_else(|| lines::guess(text)),
    }
}

/// The difference between two texts, with a heading. Without one, `lines` finds it.
fn changes(text: &[u8]) -> Option<Guess> {
    let name = match text {
        _ if text.starts_with(b"diff ") => "diff output",
        _ if text.starts_with(b"Index: ") => "RCS/CVS diff output",
        _ => return None,
    };
    let start = &text[..text.len().min(4096)];
    let unified = name == "diff output" && memmem::find(start, b"\n+++ ").is_some();
    Some(Guess::new(Data, if unified { "unified diff output" } else { name }, Before))
}

fn json(text: &[u8], whole: bool) -> Option<Guess> {
    let name = match json::recognise(text, whole)? {
        Json::One => "JSON text data",
        Json::Many => "New Line Delimited JSON text data",
    };
    Some(Guess::new(Data, name, Alone))
}

/// A table of values with commas between: at least three lines, all with as many fields.
fn table(text: &[u8]) -> Option<Guess> {
    const LINES: usize = 10;
    let (mut rest, mut lines, mut fields) = (text, 0, 0);
    while lines < LINES {
        let Some(end) = memchr(b'\n', rest) else { break };
        let mut quoted = false;
        let commas = rest[..end].iter().filter(|byte| {
            quoted ^= **byte == b'"';
            **byte == b',' && !quoted
        });
        let commas = commas.count();
        if commas == 0 || (0 < lines && commas != fields) {
            return None;
        }
        (fields, lines, rest) = (commas, lines + 1, &rest[end + 1..]);
    }
    let complete = rest.is_empty() || lines == LINES;
    (2 < lines && complete).then(|| Guess::new(Data, "CSV text", Alone))
}

fn markup(solid: &[u8]) -> Option<Guess> {
    let start = &solid[..solid.len().min(4096)];
    let begins =
        |word: &str| start.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word.as_bytes()));
    if begins("<?php") || begins("<?\n") || begins("<?\r") {
        return Some(Guess::new(Source, "PHP script", Before));
    }
    let xml = begins("<?xml");
    // A drawing says so in its first element; an XML file may mention drawings anywhere.
    if begins("<svg") || (xml || begins("<!DOCTYPE svg")) && first_element(start).starts_with(b"<svg") {
        return Some(Guess::new(Media, "SVG Scalable Vector Graphics image", Alone));
    }
    if xml {
        let version = start[5..].trim_ascii_start().strip_prefix(b"version=").unwrap_or_default();
        let newer = version.get(1..).is_some_and(|version| version.starts_with(b"1.1"));
        let name = if newer { "XML 1.1 document" } else { "XML 1.0 document" };
        return Some(Guess::new(Data, name, Before));
    }
    let element = first_element(start).to_ascii_lowercase();
    let html = [&b"<html"[..], b"<head", b"<title", b"<script", b"<style", b"<table", b"<h1"];
    if begins("<!DOCTYPE html") || html.iter().any(|name| element.starts_with(name)) {
        return Some(Guess::new(Source, "HTML document", Before));
    }
    if begins("<!DOCTYPE") {
        return Some(Guess::new(Data, "exported SGML document", Before));
    }
    None
}

/// The beginning of the first element: declarations and comments are skipped.
fn first_element(start: &[u8]) -> &[u8] {
    let mut rest = start;
    loop {
        rest = rest.trim_ascii_start();
        let end = match rest {
            [b'<', b'!', b'-', b'-', ..] => memmem::find(rest, b"-->").map(|end| end + 3),
            // A declaration may hold others, in brackets. Few do, and then the kind stays open.
            [b'<', b'!' | b'?', ..] => memchr(b'>', rest).map(|end| end + 1),
            _ => return &rest[..rest.len().min(16)],
        };
        match end {
            Some(end) => rest = &rest[end..],
            None => return &[],
        }
    }
}

/// Keys and certificates between dashed lines.
fn key(text: &[u8]) -> Option<Guess> {
    let label = text.strip_prefix(b"-----BEGIN ")?;
    let end = memmem::find(&label[..label.len().min(64)], b"-----")?;
    let name = match &label[..end] {
        b"CERTIFICATE" => "PEM certificate",
        b"TRUSTED CERTIFICATE" => "PEM trusted certificate",
        b"CERTIFICATE REQUEST" | b"NEW CERTIFICATE REQUEST" => "PEM certificate request",
        b"RSA PRIVATE KEY" => "PEM RSA private key",
        b"EC PRIVATE KEY" => "PEM EC private key",
        b"DSA PRIVATE KEY" => "PEM DSA private key",
        b"PRIVATE KEY" => "PEM private key",
        b"ENCRYPTED PRIVATE KEY" => "PEM encrypted private key",
        b"PUBLIC KEY" | b"RSA PUBLIC KEY" => "PEM public key",
        b"OPENSSH PRIVATE KEY" => "OpenSSH private key",
        b"X509 CRL" => "PEM certificate revocation list",
        b"PGP MESSAGE" => "PGP message",
        b"PGP PUBLIC KEY BLOCK" => "PGP public key block",
        b"PGP PRIVATE KEY BLOCK" => "PGP private key block",
        b"PGP SIGNED MESSAGE" => "PGP signed message",
        b"PGP SIGNATURE" => "PGP signature",
        _ => return None,
    };
    Some(Guess::new(Data, name, Alone))
}

/// Formats whose first word names them.
fn by_beginning(text: &[u8]) -> Option<Guess> {
    BEGINNINGS
        .iter()
        .find(|(word, ..)| text.starts_with(word.as_bytes()))
        .map(|(_, category, name, place)| Guess::new(*category, *name, *place))
}

const BEGINNINGS: &[(&str, Category, &str, Place)] = &[
    ("ssh-rsa ", Data, "OpenSSH RSA public key", Alone),
    ("ssh-ed25519 ", Data, "OpenSSH ED25519 public key", Alone),
    ("ssh-dss ", Data, "OpenSSH DSA public key", Alone),
    ("ecdsa-sha2-", Data, "OpenSSH ECDSA public key", Alone),
    ("age-encryption.org/", Data, "age encrypted file", Alone),
    ("*** ", Data, "context diff output", Before),
    ("Return-Path:", Document, "SMTP mail", Before),
    ("Received:", Document, "RFC 822 mail", Before),
    ("From: ", Document, "news or mail", Before),
    ("MIME-Version:", Document, "MIME entity", Before),
    ("BEGIN:VCARD", Data, "vCard visiting card", Alone),
    ("BEGIN:VCALENDAR", Data, "vCalendar calendar file", Alone),
    ("Windows Registry Editor Version", Config, "Windows Registry text (Win2K or above)", Alone),
    ("REGEDIT4", Config, "Windows Registry text (Win95 or above)", Alone),
    ("#EXTM3U", Data, "M3U playlist", Before),
    ("[playlist]", Data, "PLS playlist", Before),
    ("[Version]", Config, "Windows setup INFormation", Alone),
    ("WEBVTT", Document, "WebVTT subtitles", Before),
    ("STARTFONT ", Media, "X11 BDF font", Before),
    ("StartFontMetrics", Media, "ASCII font metrics", Alone),
    ("SplineFontDB: ", Media, "Spline Font Database", Alone),
    ("/* XPM */", Media, "X pixmap image text", Alone),
    ("ISO-10303-21;", Data, "STEP product data", Before),
    ("ply\nformat ascii", Media, "PLY model, ASCII", Alone),
    ("ply\nformat binary", Media, "PLY model, binary", Alone),
    ("##fileformat=VCF", Data, "Variant Call Format (VCF)", Before),
    ("@HD\tVN:", Data, "Sequence Alignment/Map (SAM)", Alone),
    ("(kicad_pcb ", Media, "KiCad Board Layout", Alone),
    ("EESchema Schematic", Media, "KiCad Schematic Document (Legacy)", Alone),
    ("begin 644 ", Data, "uuencoded or xxencoded text", Before),
    ("(This file must be converted with BinHex", Data, "BinHex binary text", Before),
    ("@echo off", Source, "DOS batch file", Before),
    ("@ECHO OFF", Source, "DOS batch file", Before),
    ("@echo OFF", Source, "DOS batch file", Before),
    ("\\input texinfo", Document, "TeX document", Before),
    (".\\\"", Document, "troff or preprocessor input", Before),
    ("'\\\"", Document, "troff or preprocessor input", Before),
    ("'.\\\"", Document, "troff or preprocessor input", Before),
    ("dnl ", Source, "M4 macro processor script", Before),
    ("P1\n", Media, "Netpbm image data, bitmap", Before),
    ("P2\n", Media, "Netpbm image data, greymap", Before),
    ("P3\n", Media, "Netpbm image data, pixmap", Before),
];
