//! What the server does with which request.

use std::collections::VecDeque;
use std::time::Duration;

use crate::conversation::Conversation;
use crate::exchange::Framing;
use crate::fault::Fault;
use crate::gate::Gate;
use crate::http::Request;
use crate::policy::Policy;
use crate::refusal::Refusal;
use crate::step::Step;
use crate::turn::Turn;

/// Answers by request.
///
/// Rules come first, in the order in which they were added; a rule that has used up its answers no longer
/// applies. Then the answers in order, which only requests for a turn use up. Then the rest.
#[derive(Debug, Clone, Default)]
pub struct Script {
    rules: Vec<(Matcher, VecDeque<Answer>)>,
    answers: VecDeque<Answer>,
    rest: Rest,
}

/// What happens when nothing else was said.
#[derive(Debug, Clone, Default)]
enum Rest {
    /// A failure that the counters show as unexpected.
    #[default]
    Nothing,
    Policy(Policy),
    Always(Box<Answer>),
}

/// One answer, and everything that is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub(crate) source: Source,
    pub(crate) faults: Vec<Fault>,
    pub(crate) latency: Duration,
    pub(crate) between: Duration,
    pub(crate) framing: Framing,
    pub(crate) gate: Option<Gate>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    Turn(Turn),
    /// What the script's policy says.
    Policy,
    Refusal(Refusal),
    Raw(Vec<Step>),
}

/// Which requests a rule is for. Everything that is set must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matcher {
    path: Option<String>,
    model: Option<String>,
    containing: Option<String>,
    offering: Option<String>,
}

impl Script {
    /// Nothing yet.
    pub fn new() -> Script {
        Script::default()
    }

    /// Then this.
    #[must_use]
    pub fn then(self, answer: impl Into<Answer>) -> Script {
        self.times(1, answer)
    }

    /// Then this, so many times.
    #[must_use]
    pub fn times(mut self, count: usize, answer: impl Into<Answer>) -> Script {
        let answer = answer.into();
        self.answers.extend(std::iter::repeat_n(answer, count));
        self
    }

    /// For the next requests of this kind: these answers, in order.
    #[must_use]
    pub fn when(mut self, matcher: Matcher, answers: impl IntoIterator<Item = Answer>) -> Script {
        self.rules.push((matcher, answers.into_iter().collect()));
        self
    }

    /// For everything else, what a policy says.
    #[must_use]
    pub fn otherwise(self, policy: Policy) -> Script {
        Script { rest: Rest::Policy(policy), ..self }
    }

    /// For everything else, always this.
    #[must_use]
    pub fn always(self, answer: impl Into<Answer>) -> Script {
        Script { rest: Rest::Always(Box::new(answer.into())), ..self }
    }

    /// Takes the answer for a request; `None` if there is none.
    pub(crate) fn take(&mut self, request: &Request, conversation: Option<&Conversation>) -> Option<Answer> {
        let mut open = self.rules.iter_mut().filter(|(_, answers)| !answers.is_empty());
        let rule = open.find(|(matcher, _)| matcher.fits(request, conversation));
        if let Some(answer) = rule.and_then(|(_, answers)| answers.pop_front()) {
            return Some(answer);
        }
        conversation?;
        self.answers.pop_front().or_else(|| match &self.rest {
            Rest::Nothing => None,
            Rest::Policy(_) => Some(Answer::of(Source::Policy)),
            Rest::Always(answer) => Some((**answer).clone()),
        })
    }

    /// Takes the answer for a request if it is raw: such an answer does not care what was asked.
    pub(crate) fn take_raw(&mut self, request: &Request) -> Option<Vec<Step>> {
        let is_raw = |answer: &Answer| matches!(answer.source, Source::Raw(_));
        let mut rules = self.rules.iter_mut();
        let rule = rules
            .find(|(matcher, answers)| answers.front().is_some_and(is_raw) && matcher.fits(request, None));
        let answer = match rule {
            Some((_, answers)) => answers.pop_front(),
            None => self.answers.pop_front_if(|answer| is_raw(answer)),
        };
        answer.and_then(|answer| if let Source::Raw(steps) = answer.source { Some(steps) } else { None })
    }

    /// The policy that speaks where an answer leaves it to one.
    pub(crate) fn policy(&self) -> Policy {
        match &self.rest {
            Rest::Policy(policy) => policy.clone(),
            Rest::Nothing | Rest::Always(_) => Policy::default(),
        }
    }
}

impl From<Policy> for Script {
    fn from(policy: Policy) -> Script {
        Script::new().otherwise(policy)
    }
}

impl Answer {
    fn of(source: Source) -> Answer {
        Answer {
            source,
            faults: Vec::new(),
            latency: Duration::ZERO,
            between: Duration::ZERO,
            framing: Framing::Usual,
            gate: None,
        }
    }

    /// What the script's policy says.
    pub fn policy() -> Answer {
        Answer::of(Source::Policy)
    }

    /// Words.
    pub fn text(text: &str) -> Answer {
        Turn::text(text).into()
    }

    /// Exactly these steps, whatever was asked: nothing is checked and nothing is added.
    pub fn raw(steps: Vec<Step>) -> Answer {
        Answer::of(Source::Raw(steps))
    }

    /// The same with a fault more.
    #[must_use]
    pub fn with(mut self, fault: impl Into<Fault>) -> Answer {
        self.faults.push(fault.into());
        self
    }

    /// The same after a while.
    #[must_use]
    pub fn after(self, latency: Duration) -> Answer {
        Answer { latency, ..self }
    }

    /// The same, not before the gate is open.
    #[must_use]
    pub fn behind(self, gate: &Gate) -> Answer {
        Answer { gate: Some(gate.clone()), ..self }
    }

    /// The same with a pause between two events.
    #[must_use]
    pub fn paced(self, between: Duration) -> Answer {
        Answer { between, ..self }
    }

    /// The same in another framing.
    #[must_use]
    pub fn framed(self, framing: Framing) -> Answer {
        Answer { framing, ..self }
    }
}

impl From<Turn> for Answer {
    fn from(turn: Turn) -> Answer {
        Answer::of(Source::Turn(turn))
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Answer {
        Answer::of(Source::Refusal(refusal))
    }
}

impl Matcher {
    /// Every request.
    pub fn any() -> Matcher {
        Matcher::default()
    }

    /// Only for this path, its query apart.
    #[must_use]
    pub fn path(self, path: &str) -> Matcher {
        Matcher { path: Some(path.to_owned()), ..self }
    }

    /// Only for this model.
    #[must_use]
    pub fn model(self, model: &str) -> Matcher {
        Matcher { model: Some(model.to_owned()), ..self }
    }

    /// Only where the body has this text in it.
    #[must_use]
    pub fn containing(self, text: &str) -> Matcher {
        Matcher { containing: Some(text.to_owned()), ..self }
    }

    /// Only where this tool is on offer.
    #[must_use]
    pub fn offering(self, tool: &str) -> Matcher {
        Matcher { offering: Some(tool.to_owned()), ..self }
    }

    fn fits(&self, request: &Request, conversation: Option<&Conversation>) -> bool {
        let holds = |wanted: &Option<String>, test: &dyn Fn(&str) -> bool| wanted.as_deref().is_none_or(test);
        holds(&self.path, &|path| request.route() == path)
            && holds(&self.model, &|model| conversation.is_some_and(|asked| asked.model == model))
            && holds(&self.containing, &|text| String::from_utf8_lossy(&request.body).contains(text))
            && holds(&self.offering, &|tool| conversation.is_some_and(|asked| asked.offers(tool)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(model: &str) -> (Request, Conversation) {
        let request =
            Request { path: "/v1/messages".to_owned(), body: b"{hello}".to_vec(), ..Request::default() };
        (request, Conversation { model: model.to_owned(), ..Conversation::default() })
    }

    #[test]
    fn rules_come_first_then_the_order_then_the_rest() {
        let (request, conversation) = asked("a");
        let (_, other) = asked("b");
        let mut script = Script::new()
            .times(2, Refusal::Overloaded)
            .then(Answer::text("third"))
            .when(Matcher::any().model("b").path("/v1/messages").containing("hello"), [Answer::text("for b")])
            .when(Matcher::any().offering("nothing"), [Answer::text("never")])
            .always(Answer::text("rest"));
        let overloaded = Some(Refusal::Overloaded.into());
        assert_eq!(script.take(&request, Some(&conversation)), overloaded);
        assert_eq!(script.take(&request, Some(&other)), Some(Answer::text("for b")));
        assert_eq!(script.take(&request, Some(&other)), overloaded);
        assert_eq!(script.take(&request, None), None);
        assert_eq!(script.take(&request, Some(&conversation)), Some(Answer::text("third")));
        assert_eq!(script.take(&request, Some(&conversation)), Some(Answer::text("rest")));
        assert_eq!(Script::new().take(&request, Some(&conversation)), None);
    }
}
