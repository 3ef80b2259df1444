//! What a row of the table of settings turns into.
//!
//! One row gives a field of [`Config`](super::Config), the same field of [`Layer`] with its origin, and an
//! entry of [`SETTINGS`](super::SETTINGS), which reading, showing and documenting go through. So a setting
//! cannot be readable but unused, or used but undocumented.

use super::value::{Written, Wrong};
use super::{Layer, Origin};

/// One row of the table: a setting that a user can change.
pub struct Setting {
    /// The key in a configuration file, with its section: `scan.hidden`.
    pub key: &'static str,
    /// What it means, in whole sentences; one line each.
    pub doc: &'static str,
    /// Reads what somebody wrote into a layer.
    pub(super) read: fn(&mut Layer, &Written<'_>, Origin) -> Result<(), Wrong>,
    /// The value a layer gives it, and where that was written.
    pub(super) look_up: fn(&Layer) -> Option<(toml::Value, &Origin)>,
}

impl Setting {
    /// The environment variable that sets it: `LUMINOS_SCAN_HIDDEN`.
    pub fn variable(&self) -> String {
        variable(self.key)
    }

    /// The section it stands in (empty at the top), and its name there.
    pub fn section_and_name(&self) -> (&'static str, &'static str) {
        self.key.split_once('.').unwrap_or(("", self.key))
    }
}

/// How the names of our environment variables begin.
pub(super) const VARIABLE_PREFIX: &str = "LUMINOS_";

/// The environment variable that belongs to a key.
pub(super) fn variable(key: &str) -> String {
    let name = key.replace(['.', '-'], "_").to_ascii_uppercase();
    format!("{VARIABLE_PREFIX}{name}")
}

/// Makes the types [`Config`](super::Config) and [`Layer`], their parts, and the table itself.
///
/// A row reads: field, key in the file, type, and the default as a function of the `Surroundings`, which
/// gives nothing where the machine has no answer.
macro_rules! settings {
    (
        $( $(#[doc = $doc:literal])+ $field:ident $key:literal: $type:ty = $default:expr; )+
        sections {
            $(
                $(#[doc = $section_doc:literal])+
                $section:ident: $config:ident, $layer:ident {
                    $( $(#[doc = $part_doc:literal])+ $part:ident $part_key:literal: $part_type:ty = $part_default:expr; )+
                }
            )+
        }
    ) => {
        /// What the program runs on: complete, checked, never changed afterwards.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Config {
            $( $(#[doc = $doc])+ pub $field: $type, )+
            $( $(#[doc = $section_doc])+ pub $section: $config, )+
        }

        /// What one place says, exactly as a user may write it: every setting optional, each with its origin.
        #[derive(Debug, Clone, PartialEq, Eq, Default)]
        pub struct Layer {
            $( $(#[doc = $doc])+ pub $field: Option<Given<$type>>, )+
            $( $(#[doc = $section_doc])+ pub $section: $layer, )+
        }

        $(
            $(#[doc = $section_doc])+
            #[derive(Debug, Clone, PartialEq, Eq)]
            pub struct $config {
                $( $(#[doc = $part_doc])+ pub $part: $part_type, )+
            }

            $(#[doc = $section_doc])+
            #[derive(Debug, Clone, PartialEq, Eq, Default)]
            pub struct $layer {
                $( $(#[doc = $part_doc])+ pub $part: Option<Given<$part_type>>, )+
            }
        )+

        impl Config {
            /// Every setting and its value, as it would be written in a configuration file.
            pub fn written(&self) -> Vec<(&'static str, toml::Value)> {
                vec![
                    $( ($key, self.$field.shown()), )+
                    $( $( ($part_key, self.$section.$part.shown()), )+ )+
                ]
            }
        }

        impl Layer {
            /// The lowest layer: the built-in defaults.
            pub(super) fn defaults(around: &Surroundings) -> Self {
                Self {
                    $( $field: Given::by_default(($default)(around)), )+
                    $( $section: $layer {
                        $( $part: Given::by_default(($part_default)(around)), )+
                    }, )+
                }
            }

            /// This layer, with the gaps filled by a lower one. Lists are replaced whole, not joined.
            pub fn over(self, lower: Self) -> Self {
                Self {
                    $( $field: self.$field.or(lower.$field), )+
                    $( $section: $layer {
                        $( $part: self.$section.$part.or(lower.$section.$part), )+
                    }, )+
                }
            }

            /// The values alone, or the first key that has none.
            pub(super) fn values(&self) -> Result<Config, &'static str> {
                Ok(Config {
                    $( $field: self.$field.as_ref().ok_or($key)?.value.clone(), )+
                    $( $section: $config {
                        $( $part: self.$section.$part.as_ref().ok_or($part_key)?.value.clone(), )+
                    }, )+
                })
            }
        }

        /// All settings, in the order they are explained.
        pub static SETTINGS: &[Setting] = &[
            $( Setting {
                key: $key,
                doc: concat!($( $doc, "\n" ),+),
                read: |layer, written, origin| {
                    layer.$field = Some(Given { value: Value::read(written)?, origin });
                    Ok(())
                },
                look_up: |layer| layer.$field.as_ref().map(|given| (given.value.shown(), &given.origin)),
            }, )+
            $( $( Setting {
                key: $part_key,
                doc: concat!($( $part_doc, "\n" ),+),
                read: |layer, written, origin| {
                    layer.$section.$part = Some(Given { value: Value::read(written)?, origin });
                    Ok(())
                },
                look_up: |layer| {
                    layer.$section.$part.as_ref().map(|given| (given.value.shown(), &given.origin))
                },
            }, )+ )+
        ];

        /// The sections of a configuration file.
        pub(super) static SECTIONS: &[&str] = &[$( stringify!($section) ),+];
    };
}

pub(super) use settings;
