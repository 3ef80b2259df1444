//! Tables of one directory that lead to one another: a column of one has the values of the key of another.

use luminos_core::fact::{Fact, Holding};
use std::collections::HashSet;

use super::super::{kept, lacks, words};
use super::column::{Column, is_key};
use super::set::Set;
use crate::words::{code, number};

/// So many links are told.
const MOST: usize = 4;

pub(super) fn told(dir: &str, sets: &[Set]) -> Vec<Fact> {
    let mut told = Vec::new();
    for from in sets {
        for column in from.columns.iter().filter(|column| is_key(&column.name)) {
            let Some(values) = known(column) else { continue };
            let targets = sets.iter().filter(|to| !std::ptr::eq(*to, from));
            let target = targets.filter_map(|to| Some((to, key_for(column, to)?))).find_map(|(to, key)| {
                let keys = known(key).filter(|keys| keys.len() as u64 == to.rows)?;
                let found = values.intersection(keys).count();
                (values.len() < found * 2 && values.len() as u64 * 2 <= from.rows)
                    .then_some((to, key, keys, found))
            });
            let Some((to, key, keys, found)) = target else { continue };
            let _ = keys;
            let (Some(source), Some(head), Some(other)) =
                (from.files.first(), from.head.first(), to.files.first())
            else {
                continue;
            };
            let evidence = vec![head.clone(), to.head.first().unwrap_or(head).clone()];
            let all = values.len();
            told.push(match all - found {
                0 => {
                    let keeps = Holding {
                        count: 1,
                        noun: "link between tables".to_owned(),
                        period: None,
                        details: words([format!(
                            "{} of {} is {} of {}, all {} are there",
                            code(&column.name),
                            code(source),
                            code(&key.name),
                            code(other),
                            number(all as u64)
                        )]),
                    };
                    kept(dir, keeps, evidence)
                }
                lost => lacks(
                    dir,
                    format!(
                        "{} of {} different {} in {} are not in {}",
                        number(lost as u64),
                        number(all as u64),
                        code(&column.name),
                        code(source),
                        code(other)
                    ),
                    evidence,
                ),
            });
        }
    }
    told.truncate(MOST);
    told
}

fn known(column: &Column) -> Option<&HashSet<u64>> {
    column.keys.as_ref().filter(|keys| 2 < keys.len())
}

/// The column of a table that another leads to: of the same name, or `id` in the table that is called so.
fn key_for<'s>(column: &Column, to: &'s Set) -> Option<&'s Column> {
    let called = to.files.first()?.split('.').next().unwrap_or_default().to_lowercase();
    let name = column.name.to_lowercase();
    let stem = name.strip_suffix("_id").or_else(|| name.strip_suffix("id")).unwrap_or_default();
    let is_of_table =
        !stem.is_empty() && (called == stem || called == format!("{stem}s") || called == format!("{stem}es"));
    let same =
        (name != "id").then(|| to.columns.iter().find(|other| other.name.to_lowercase() == name)).flatten();
    same.or_else(|| to.columns.iter().find(|other| is_of_table && other.name.eq_ignore_ascii_case("id")))
}
