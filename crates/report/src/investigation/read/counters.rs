//! The rows of a document that count: what was done, and what it cost.

use luminos_core::report::{Counters, SecondJudge};
use luminos_core::spend::{Money, PassSpend, Tokens, Totals, Usage};
use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct CountersRow {
    files: u64,
    bytes: u64,
    directories: u64,
    directories_investigated: u64,
    directories_reused: u64,
    directories_partial: u64,
    directories_skipped: u64,
    directories_failed: u64,
    turns: u64,
    calls: u64,
    tokens: TokensRow,
    cost_nanodollars: Option<u64>,
    #[serde(default)]
    reserved: Option<SumRow>,
    #[serde(default)]
    lost_in_flight: Option<SumRow>,
    seconds: u64,
    #[serde(default)]
    second_judge: Option<SecondJudgeRow>,
}

#[derive(Deserialize)]
pub(super) struct PassRow {
    pass: String,
    calls: u64,
    tokens: TokensRow,
    tokens_booked: u64,
    cost_nanodollars: Option<u64>,
    #[serde(default)]
    lost_in_flight: Option<SumRow>,
}

#[derive(Deserialize)]
struct SumRow {
    calls: u64,
    tokens: u64,
    cost_nanodollars: u64,
}

impl From<SumRow> for Totals {
    fn from(row: SumRow) -> Self {
        Self {
            money: Money::from_nanodollars(row.cost_nanodollars),
            tokens: Tokens(row.tokens),
            calls: row.calls,
        }
    }
}

impl From<PassRow> for (String, PassSpend) {
    fn from(row: PassRow) -> Self {
        let spend = PassSpend {
            calls: row.calls,
            usage: row.tokens.into(),
            tokens: Tokens(row.tokens_booked),
            money: Money::from_nanodollars(row.cost_nanodollars.unwrap_or_default()),
            unpriced: u64::from(row.cost_nanodollars.is_none()),
            lost: row.lost_in_flight.map(Totals::from).unwrap_or_default(),
        };
        (row.pass, spend)
    }
}

impl From<TokensRow> for Usage {
    fn from(tokens: TokensRow) -> Self {
        Self {
            input: Tokens(tokens.input),
            cache_write_5m: Tokens(tokens.cache_write_5m),
            cache_write_1h: Tokens(tokens.cache_write_1h),
            cache_read: Tokens(tokens.cache_read),
            output: Tokens(tokens.output),
        }
    }
}

#[derive(Deserialize)]
struct SecondJudgeRow {
    asked: u64,
    refuted: u64,
}

#[derive(Deserialize)]
struct TokensRow {
    input: u64,
    cache_write_5m: u64,
    cache_write_1h: u64,
    cache_read: u64,
    output: u64,
}

impl From<CountersRow> for Counters {
    fn from(row: CountersRow) -> Self {
        Self {
            dirs: row.directories,
            files: row.files,
            bytes: row.bytes,
            dirs_investigated: row.directories_investigated,
            dirs_reused: row.directories_reused,
            dirs_partial: row.directories_partial,
            dirs_skipped: row.directories_skipped,
            dirs_failed: row.directories_failed,
            turns: row.turns,
            calls: row.calls,
            usage: row.tokens.into(),
            cost: row.cost_nanodollars.map(Money::from_nanodollars),
            reserved: row.reserved.map(Totals::from).unwrap_or_default(),
            lost: row.lost_in_flight.map(Totals::from).unwrap_or_default(),
            seconds: row.seconds,
            second_judge: row
                .second_judge
                .map(|SecondJudgeRow { asked, refuted }| SecondJudge { asked, refuted }),
        }
    }
}
