//! A shop that sells tea.
//!
//! More words about it.

use std::collections::{BTreeMap, HashMap as Map};
use crate::price::Price;
mod price;

/// A shop.
///
/// It opens at nine.
#[derive(Debug)]
#[must_use]
pub struct Shop<T> {
    teas: Vec<T>,
}

pub(crate) enum State { Open, Closed }

/// Something that can be sold.
pub trait Ware {
    type Unit;
    /// What it costs.
    fn price(&self) -> Price;
    fn name(&self) -> &str { "tea" }
}

impl<T: Ware> Shop<T> {
    /// Sells one tea.
    pub fn sell(&mut self, name: &str, amount: u32) -> Option<T> {
        if amount == 0 && name.is_empty() {
            return None;
        } else if amount > 100 {
            for _ in 0..amount {
                while self.teas.is_empty() {}
            }
        }
        match amount { 1 => None, 2 | 3 => None, _ => None }
    }
}

impl<T> Drop for Shop<T> {
    fn drop(&mut self) {}
}

// An ordinary comment.
macro_rules! tea { () => {} }

fn main() { tea!(); }

#[cfg(test)]
mod tests {
    #[test]
    fn sells_tea() {}
}
