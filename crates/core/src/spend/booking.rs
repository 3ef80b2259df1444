//! What a call is booked at: one rule for every caller.
//!
//! | how the call ended | what is booked |
//! |---|---|
//! | the provider reported what it used | what was reported, also where that is more than was reserved |
//! | it was answered, and nothing was reported, or less than can be | our estimate, at most what was reserved |
//! | it was never sent, it was refused, or the server failed before the first byte of an answer | nothing |
//! | it was sent and broke off, took too long or was dropped by its caller | its input and what was received, at most what was reserved |
//! | its process died under it | what was reserved: it is lost in flight |
//!
//! Not here: what tokens cost, and who may still spend how much (`Ledger`).

use super::Charge;

/// How a call ended, as far as its cost is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallEnd {
    /// It never left this machine.
    NotSent,
    /// The server refused it, or failed, before the first byte of an answer.
    Refused,
    /// There is a whole answer.
    Answered {
        /// What the provider says it used, if that can be believed.
        reported: Option<Charge>,
        /// What we take it to have used.
        estimated: Charge,
    },
    /// It was sent, and there is no whole answer.
    BrokenOff {
        /// Its input, and what was received of the answer.
        estimated: Charge,
    },
    /// The process that made it died, and nobody knows how far it was.
    Died,
}

/// What a call is booked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Booking {
    /// What is booked.
    pub charged: Charge,
    /// Whether nobody knows if it was used at all.
    pub is_lost: bool,
    /// Whether the provider reported more than was reserved: a limit may be passed.
    pub exceeded: bool,
}

/// What a call is booked at for which `reserved` was set aside. `None` if it cost nothing.
pub fn book(reserved: Charge, end: CallEnd) -> Option<Booking> {
    let spent = |charged| Some(Booking { charged, is_lost: false, exceeded: false });
    match end {
        CallEnd::NotSent | CallEnd::Refused => None,
        CallEnd::Answered { reported: Some(charged), estimated: _ } => {
            Some(Booking { charged, is_lost: false, exceeded: exceeds(charged, reserved) })
        }
        CallEnd::Answered { reported: None, estimated } | CallEnd::BrokenOff { estimated } => {
            spent(at_most(estimated, reserved))
        }
        CallEnd::Died => Some(Booking { charged: reserved, is_lost: true, exceeded: false }),
    }
}

fn exceeds(charged: Charge, reserved: Charge) -> bool {
    reserved.tokens < charged.tokens
        || charged.money.zip(reserved.money).is_some_and(|(charged, reserved)| reserved < charged)
}

fn at_most(estimated: Charge, reserved: Charge) -> Charge {
    let money = match (estimated.money, reserved.money) {
        (Some(estimated), Some(reserved)) => Some(estimated.min(reserved)),
        (estimated, reserved) => estimated.or(reserved),
    };
    Charge { money, tokens: estimated.tokens.min(reserved.tokens) }
}

#[cfg(test)]
mod tests {
    use super::super::{Money, Tokens};
    use super::*;

    fn charge(dollars: u64, tokens: u64) -> Charge {
        Charge { money: Some(Money::from_dollars(dollars)), tokens: Tokens(tokens) }
    }

    fn unpriced(tokens: u64) -> Charge {
        Charge { money: None, tokens: Tokens(tokens) }
    }

    #[test]
    fn every_end_of_a_call_is_booked_by_one_table() {
        let reserved = charge(4, 400);
        let answered = |reported, estimated| CallEnd::Answered { reported, estimated };
        let spent = |charged| Some(Booking { charged, is_lost: false, exceeded: false });
        let exceeded = |charged| Some(Booking { charged, is_lost: false, exceeded: true });
        for (end, booked) in [
            // What the provider reports is booked: below, at and above what was reserved.
            (answered(Some(charge(1, 100)), charge(2, 200)), spent(charge(1, 100))),
            (answered(Some(charge(4, 400)), charge(2, 200)), spent(charge(4, 400))),
            (answered(Some(charge(12, 1200)), charge(2, 200)), exceeded(charge(12, 1200))),
            (answered(Some(charge(3, 401)), charge(2, 200)), exceeded(charge(3, 401))),
            (answered(Some(charge(5, 300)), charge(2, 200)), exceeded(charge(5, 300))),
            // Without a report, the estimate.
            (answered(None, charge(2, 200)), spent(charge(2, 200))),
            (answered(None, charge(9, 900)), spent(charge(4, 400))),
            // What was not sent, what was refused, and a server that failed before the first byte.
            (CallEnd::NotSent, None),
            (CallEnd::Refused, None),
            // A stream that broke: input and what was received.
            (CallEnd::BrokenOff { estimated: charge(1, 150) }, spent(charge(1, 150))),
            (CallEnd::BrokenOff { estimated: charge(5, 500) }, spent(charge(4, 400))),
            // A death of the process.
            (CallEnd::Died, Some(Booking { charged: reserved, is_lost: true, exceeded: false })),
        ] {
            assert_eq!(book(reserved, end), booked, "{end:?}");
        }
    }

    #[test]
    fn calls_without_a_price_are_booked_in_tokens() {
        let reserved = unpriced(400);
        let booked = |end| book(reserved, end).map(|booking| (booking.charged, booking.exceeded));
        let answered = CallEnd::Answered { reported: Some(unpriced(500)), estimated: unpriced(9) };
        assert_eq!(booked(answered), Some((unpriced(500), true)));
        assert_eq!(booked(CallEnd::BrokenOff { estimated: unpriced(9) }), Some((unpriced(9), false)));
        assert_eq!(booked(CallEnd::Died), Some((unpriced(400), false)));
    }
}
