//! Reads `models.toml`.

use std::collections::BTreeMap;

use luminos_core::spend::{Money, Tokens};
use serde::Deserialize;

use super::{LongPrompt, ModelFacts, Price};

/// Why a file of models cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadModels {
    /// It is no TOML, or has columns that do not exist.
    #[error("the file of models is not understood")]
    NotUnderstood(#[source] Box<toml::de::Error>),
    /// A model's table makes no sense.
    #[error("[{id}] in the file of models: {why}")]
    Senseless {
        /// The model.
        id: String,
        /// What is wrong.
        why: &'static str,
    },
}

/// A model's table, exactly as somebody may write it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct RawModel {
    provider: Option<String>,
    window: Option<u64>,
    max_output: Option<u64>,
    min_cached_prefix: Option<u64>,
    input: Option<Decimal>,
    output: Option<Decimal>,
    #[serde(rename = "cache-write-5m")]
    cache_write_5m: Option<Decimal>,
    #[serde(rename = "cache-write-1h")]
    cache_write_1h: Option<Decimal>,
    cache_read: Option<Decimal>,
    long_prompt_above: Option<u64>,
    long_prompt_factor: Option<Decimal>,
}

/// A number as it was written: TOML knows only binary fractions, whose shortest decimal form is what
/// somebody typed.
#[derive(Debug, Clone)]
struct Decimal(String);

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match toml::Value::deserialize(deserializer)? {
            toml::Value::Integer(whole) => Ok(Self(whole.to_string())),
            toml::Value::Float(number) => Ok(Self(number.to_string())),
            toml::Value::String(_)
            | toml::Value::Boolean(_)
            | toml::Value::Datetime(_)
            | toml::Value::Array(_)
            | toml::Value::Table(_) => Err(serde::de::Error::custom("expected a number")),
        }
    }
}

type RawModels = BTreeMap<String, RawModel>;

pub(super) fn read(built_in: &str, users: Option<&str>) -> Result<BTreeMap<String, ModelFacts>, BadModels> {
    let parse = |text: &str| -> Result<RawModels, BadModels> {
        toml::from_str(text).map_err(|error| BadModels::NotUnderstood(Box::new(error)))
    };
    let mut models = parse(built_in)?;
    for (id, changes) in users.map(parse).transpose()?.unwrap_or_default() {
        models.entry(id).or_default().change(changes);
    }
    let resolved = models.into_iter().map(|(id, raw)| match resolve(&raw) {
        Ok(facts) => Ok((id, facts)),
        Err(why) => Err(BadModels::Senseless { id, why }),
    });
    resolved.collect()
}

impl RawModel {
    /// Takes over the columns that are there.
    fn change(&mut self, changes: Self) {
        let old = std::mem::take(self);
        *self = Self {
            provider: changes.provider.or(old.provider),
            window: changes.window.or(old.window),
            max_output: changes.max_output.or(old.max_output),
            min_cached_prefix: changes.min_cached_prefix.or(old.min_cached_prefix),
            input: changes.input.or(old.input),
            output: changes.output.or(old.output),
            cache_write_5m: changes.cache_write_5m.or(old.cache_write_5m),
            cache_write_1h: changes.cache_write_1h.or(old.cache_write_1h),
            cache_read: changes.cache_read.or(old.cache_read),
            long_prompt_above: changes.long_prompt_above.or(old.long_prompt_above),
            long_prompt_factor: changes.long_prompt_factor.or(old.long_prompt_factor),
        };
    }
}

fn resolve(raw: &RawModel) -> Result<ModelFacts, &'static str> {
    if raw.window.zip(raw.max_output).is_some_and(|(window, max_output)| window < max_output) {
        return Err("`max-output` is larger than `window`");
    }
    Ok(ModelFacts {
        provider: raw.provider.clone(),
        window: raw.window.map(Tokens),
        max_output: raw.max_output.map(Tokens),
        min_cached_prefix: raw.min_cached_prefix.map(Tokens),
        price: price(raw)?,
    })
}

fn price(raw: &RawModel) -> Result<Option<Price>, &'static str> {
    let read = |column: &Option<Decimal>| -> Result<Option<Money>, &'static str> {
        let money = column.as_ref().map(|decimal| decimal.0.parse());
        money.transpose().map_err(|_| "a price is not a plain number of dollars with nine decimals at most")
    };
    let (input, output) = match (read(&raw.input)?, read(&raw.output)?) {
        (Some(input), Some(output)) => (input, output),
        (None, None) => return Ok(None),
        (Some(_), None) | (None, Some(_)) => return Err("`input` and `output` come together or not at all"),
    };
    let long_prompt = match (raw.long_prompt_above, &raw.long_prompt_factor) {
        (Some(above), Some(factor)) => {
            Some(LongPrompt { above: Tokens(above), thousandths: thousandths(&factor.0)? })
        }
        (None, None) => None,
        (Some(_), None) | (None, Some(_)) => {
            return Err("`long-prompt-above` and `long-prompt-factor` come together or not at all");
        }
    };
    // Where caching costs nothing extra, a provider does not name a price for it.
    Ok(Some(Price {
        input,
        output,
        cache_write_5m: read(&raw.cache_write_5m)?.unwrap_or(input),
        cache_write_1h: read(&raw.cache_write_1h)?.unwrap_or(input),
        cache_read: read(&raw.cache_read)?.unwrap_or(input),
        long_prompt,
    }))
}

fn thousandths(factor: &str) -> Result<u64, &'static str> {
    let money: Money = factor.parse().map_err(|_| "`long-prompt-factor` is not a plain number")?;
    let nano = money.nanodollars();
    match nano % 1_000_000 {
        0 if 1_000_000_000 <= nano => Ok(nano / 1_000_000),
        _ => Err("`long-prompt-factor` is at least 1 and has three decimals at most"),
    }
}
