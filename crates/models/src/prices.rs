//! What models cost and how much they take in: `models.toml`, and a user's own file over it.
//!
//! Prices are whole numbers of billionths of a dollar for a million tokens; no sum is ever a fraction.
//!
//! Not here: limits and what is left of them (`luminos_core::spend`).

mod read;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use luminos_core::Untrusted;
use luminos_core::config::CacheTime;
use luminos_core::spend::{Charge, Money, Tokens, Usage};

use crate::served::ServedModel;

pub use read::BadModels;

/// The file that comes with Luminos.
const BUILT_IN: &str = include_str!("../../../config/models.toml");

/// All models that something is known about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Models {
    models: BTreeMap<String, ModelFacts>,
    cache_time: CacheTime,
}

/// What is known about a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelFacts {
    /// Whose interface serves it, as the file names it.
    pub provider: Option<String>,
    /// Tokens that fit into one call, input and output together.
    pub window: Option<Tokens>,
    /// Tokens that one answer can have at most.
    pub max_output: Option<Tokens>,
    /// Tokens a prefix needs to be cached at all.
    pub min_cached_prefix: Option<Tokens>,
    /// What it costs.
    pub price: Option<Price>,
}

impl Models {
    /// The models that come with Luminos, with a user's own file over them, where there is one.
    ///
    /// A user's table changes only the columns that it names; a table for another model adds it.
    pub fn read(users_file: Option<&str>) -> Result<Self, BadModels> {
        Ok(Self { models: read::read(BUILT_IN, users_file)?, cache_time: CacheTime::default() })
    }

    /// The same for calls whose prompts are cached for so long: the worst case of a call depends on it.
    #[must_use]
    pub fn cached_for(self, cache_time: CacheTime) -> Self {
        Self { cache_time, ..self }
    }

    /// What is known about a model.
    pub fn get(&self, id: &str) -> Option<&ModelFacts> {
        self.models.get(id)
    }

    /// What a model costs; `None` if that is not known.
    pub fn price(&self, id: &str) -> Option<&Price> {
        self.get(id)?.price.as_ref()
    }

    /// How a user can make the price of a model known.
    pub fn how_to_price(id: &str) -> String {
        let id = Untrusted::new(id.as_bytes()).for_terminal();
        // A quoted name is always right; a bare one may hold a dot, which would mean a table in a table.
        format!(
            "add these lines to models.toml, in dollars for a million tokens:\n[\"{id}\"]\ninput = …\noutput = …"
        )
    }

    /// All models, by id.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ModelFacts)> {
        self.models.iter().map(|(id, facts)| (id.as_str(), facts))
    }

    /// How long an answer of a model may be, where so many tokens are asked for: no longer than the model can, nor than
    /// its window has room for behind the input. Some servers refuse a call that asks for more. The input is estimated
    /// from above, so a part of the window counts as free even where the estimate fills it.
    pub fn longest_answer(&self, id: &str, input: Tokens, asked: u32) -> u32 {
        let facts = self.get(id);
        let room = facts
            .and_then(|facts| facts.window)
            .map(|Tokens(window)| Tokens(window.saturating_sub(input.0).max(window.div_ceil(8))));
        let most = facts.and_then(|facts| facts.max_output);
        let limits = [room, most].into_iter().flatten().filter_map(|Tokens(most)| u32::try_from(most).ok());
        limits.fold(asked, u32::min)
    }

    /// How long an answer may be where no more than so much is left for it, its input included; at most `asked`. 0 where
    /// not even the input fits.
    pub fn affordable_answer(
        &self,
        id: &str,
        input: Tokens,
        left: (Option<Money>, Option<Tokens>),
        asked: u32,
    ) -> u32 {
        let fits = |output: u32| {
            let worst = self.worst_case(id, input, Tokens(u64::from(output)));
            worst.money.zip(left.0).is_none_or(|(worst, left)| worst <= left)
                && left.1.is_none_or(|left| worst.tokens <= left)
        };
        // What fits is a beginning of all lengths, so halving finds its end.
        let (mut most, mut beyond) = (0, asked.saturating_add(1));
        while most + 1 < beyond {
            let middle = most + (beyond - most) / 2;
            if fits(middle) { most = middle } else { beyond = middle }
        }
        most
    }

    /// Takes what a server says about a model's limits in place of what the table says.
    pub fn refine(&mut self, served: &ServedModel) {
        let facts = self.models.entry(served.id.clone()).or_default();
        *facts = std::mem::take(facts).refined(served);
    }

    /// The most that a call can use: all of its input at the highest price that input can have, and the
    /// longest answer. Without a known price there are tokens only.
    pub fn worst_case(&self, id: &str, input: Tokens, max_output: Tokens) -> Charge {
        let money = self.price(id).map(|price| price.worst_case(input, max_output, self.cache_time));
        Charge { money, tokens: input + max_output }
    }

    /// What a call used.
    pub fn charge(&self, id: &str, usage: &Usage) -> Charge {
        Charge { money: self.price(id).map(|price| price.cost(usage)), tokens: usage.total() }
    }
}

impl ModelFacts {
    /// The facts, with what the server itself says about its limits in place of what the table says.
    #[must_use]
    pub fn refined(mut self, served: &ServedModel) -> Self {
        // Whether the answer has room besides is not told, so it is taken to have none.
        self.window = served.max_input.or(self.window);
        self.max_output = served.max_output.or(self.max_output);
        self
    }
}

/// A price for a million tokens.
type PerMillion = Money;

/// What a model costs, each for a million tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    /// Input that no cache is involved in.
    pub input: PerMillion,
    /// Output.
    pub output: PerMillion,
    /// Input written to the cache for five minutes.
    pub cache_write_5m: PerMillion,
    /// Input written to the cache for an hour.
    pub cache_write_1h: PerMillion,
    /// Input read from the cache.
    pub cache_read: PerMillion,
    /// Calls with a long prompt cost more.
    pub long_prompt: Option<LongPrompt>,
}

/// From which size on a prompt is long, and what that means for every price of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LongPrompt {
    /// A prompt of more tokens than this is long.
    pub above: Tokens,
    /// What every price is multiplied by, in thousandths; at least 1000.
    pub thousandths: u64,
}

impl Price {
    /// What a call cost. A part of a billionth of a dollar counts as a whole one.
    pub fn cost(&self, usage: &Usage) -> Money {
        let parts = [
            (usage.input, self.input),
            (usage.output, self.output),
            (usage.cache_write_5m, self.cache_write_5m),
            (usage.cache_write_1h, self.cache_write_1h),
            (usage.cache_read, self.cache_read),
        ];
        self.sum(usage.prompt(), &parts)
    }

    /// The most that a call can cost. The cache is assumed to miss, and a miss is dearer than plain input
    /// where it writes what was missing.
    pub fn worst_case(&self, input: Tokens, max_output: Tokens, cache_time: CacheTime) -> Money {
        let write = match cache_time {
            CacheTime::FiveMinutes => self.cache_write_5m,
            CacheTime::Hour => self.cache_write_1h.max(self.cache_write_5m),
        };
        let dearest_input = self.input.max(write).max(self.cache_read);
        self.sum(input, &[(input, dearest_input), (max_output, self.output)])
    }

    fn sum(&self, prompt: Tokens, parts: &[(Tokens, PerMillion)]) -> Money {
        const MILLION: u128 = 1_000_000;
        const THOUSAND: u128 = 1000;
        let factor = match self.long_prompt {
            Some(long) if long.above < prompt => u128::from(long.thousandths),
            Some(_) | None => THOUSAND,
        };
        let millionths = parts.iter().fold(0_u128, |sum, (tokens, price)| {
            sum.saturating_add(u128::from(tokens.0).saturating_mul(u128::from(price.nanodollars())))
        });
        let nanodollars = millionths.saturating_mul(factor).div_ceil(MILLION * THOUSAND);
        u64::try_from(nanodollars).map_or(Money::MAX, Money::from_nanodollars)
    }
}
