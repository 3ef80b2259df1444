//! A model that could be asked, for somebody who has asked none. It is told about, never used.

use std::path::Path;

use luminos_core::config::Config;
use luminos_core::spend::Money;
use luminos_engine::{Presence, Projection, Service, experience_of, found_key, project, read_models, server};

use super::super::scan::scan_target;
use crate::session::Session;

/// Tells in one line about a key or a server that was found, and what asking would take.
pub(super) fn suggest(config: &Config, target: &Path, session: &mut Session<'_>) {
    let around = session.around();
    let has_key = |service: &Service| matches!(found_key(*service, around), Ok(Some(_)));
    let is_named =
        |service: &Service| server(*service, around).is_some_and(|server| server.variable.is_some());
    let with_key = Service::ALL.into_iter().find(has_key);
    let found = with_key.or_else(|| Service::ALL.into_iter().find(is_named));
    let Some(service) = found else { return };
    let word = service.word();
    let what = if with_key.is_some() { "a key for" } else { "a server of" };
    let priced = read_models(&config.models.config, Presence::Optional).ok().and_then(|known| {
        let own = known.iter().filter(|(_, facts)| facts.provider.as_deref() == Some(word));
        let priced = own.filter_map(|(id, facts)| Some((facts.price.as_ref()?.input, id, facts)));
        let (_, id, facts) = priced.min_by_key(|(price, ..)| *price)?;
        // The scan of a moment ago is remembered: this takes little.
        let Projection { cost, .. } = project(
            &scan_target(target, config, session).ok()?,
            Some(facts),
            None,
            &experience_of(&config.home, target),
        );
        let cost = cost?;
        Some((format!("{word}/{id}"), format!("{} to {}", cents(*cost.start()), cents(*cost.end()))))
    });
    session.printer.note(match priced {
        Some((model, cost)) => {
            format!("{what} {word} was found: `--model {model}` would say more, for about {cost}")
        }
        None => format!("{what} {word} was found: `--model {word}/NAME` would say more"),
    });
}

/// Money as people say it, in whole cents, rounded up.
fn cents(money: Money) -> Money {
    const CENT: u64 = 10_000_000;
    Money::from_nanodollars(money.nanodollars().div_ceil(CENT).saturating_mul(CENT))
}
