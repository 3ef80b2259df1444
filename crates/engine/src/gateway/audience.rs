//! Who hears news of a call, and how nobody is held up by a listener that does not keep up.
//!
//! **Guarantee**: whoever was told something that a retry makes void is told of the retry, too. Anything but
//! the news of a retry goes out only while a place for that news is held.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use luminos_models::Event;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{OwnedPermit, Sender};

use super::News;

/// Who hears news of a call. Callers can join while it is under way.
#[derive(Debug, Clone, Default)]
pub(super) struct Audience(Arc<Mutex<Vec<Listening>>>);

#[derive(Debug)]
struct Listening {
    news: Sender<News>,
    /// The place for the news of a retry.
    place: Option<OwnedPermit<News>>,
    /// The news of a retry that there was no place for. Nothing was told since the one before.
    retry: Option<News>,
    /// Text that a full channel had no room for. It joins the text that follows.
    text: String,
}

impl Audience {
    pub(super) fn join(&self, news: Sender<News>) {
        // Most callers want the answer and nothing else.
        if !news.is_closed() {
            self.locked().push(Listening { news, place: None, retry: None, text: String::new() });
        }
    }

    pub(super) fn tell(&self, event: Event<'_>) {
        for listening in self.locked().iter_mut() {
            listening.tell(event);
        }
    }

    /// The call is tried again: what was told is void.
    pub(super) fn retry(&self, news: &News) {
        for listening in self.locked().iter_mut() {
            listening.text.clear();
            listening.retry = Some(news.clone());
            listening.flush();
        }
    }

    /// Sends what text is left over.
    pub(super) fn flush(&self) {
        for listening in self.locked().iter_mut() {
            listening.flush();
        }
    }

    /// Nothing can be left half done, so a lock that somebody died with is as good as any.
    fn locked(&self) -> MutexGuard<'_, Vec<Listening>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listening {
    fn tell(&mut self, event: Event<'_>) {
        let news = match event {
            Event::Text(text) => {
                self.text.push_str(text);
                self.flush();
                return;
            }
            // The answer has them whole; nobody shows a part of them.
            Event::Arguments(_) => return,
            Event::Started => News::Started,
            Event::Thinking(text) => News::Thinking(text.to_owned()),
            Event::ToolCall { name } => News::ToolCall { name: name.to_owned() },
        };
        self.flush();
        if self.text.is_empty() && self.holds_place() {
            let _ = self.news.try_send(news);
        }
    }

    fn flush(&mut self) {
        if let Some(retry) = self.retry.take() {
            if !self.holds_place() {
                self.retry = Some(retry);
                return;
            }
            if let Some(place) = self.place.take() {
                place.send(retry);
            }
        }
        if self.text.is_empty() || !self.holds_place() {
            return;
        }
        match self.news.try_send(News::Text(std::mem::take(&mut self.text))) {
            Err(TrySendError::Full(News::Text(text))) => self.text = text,
            Err(TrySendError::Full(_) | TrySendError::Closed(_)) | Ok(()) => {}
        }
    }

    fn holds_place(&mut self) -> bool {
        if self.place.is_none() {
            self.place = self.news.clone().try_reserve_owned().ok();
        }
        self.place.is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use luminos_models::{Error, Kind};
    use tokio::sync::mpsc::{Receiver, channel};

    use super::*;

    fn heard(news: &mut Receiver<News>) -> Vec<String> {
        let mut heard = Vec::new();
        while let Ok(news) = news.try_recv() {
            heard.push(match news {
                News::Text(text) => text,
                News::Retry { .. } => "RETRY".to_owned(),
                other @ (News::Started | News::Thinking(_) | News::ToolCall { .. }) => format!("{other:?}"),
            });
        }
        heard
    }

    fn retry() -> News {
        let because = Arc::new(Error::new(Kind::Overloaded, "the play"));
        News::Retry { because, wait: Duration::ZERO }
    }

    #[test]
    fn whoever_keeps_up_hears_everything_in_order() {
        let audience = Audience::default();
        let (sender, mut news) = channel(8);
        audience.join(sender);
        for event in [Event::Started, Event::Text("a"), Event::ToolCall { name: "t" }, Event::Text("b")] {
            audience.tell(event);
        }
        assert_eq!(heard(&mut news), ["Started", "a", "ToolCall { name: \"t\" }", "b"]);
    }

    #[test]
    fn whoever_lags_hears_joined_texts_and_never_misses_that_they_are_void() {
        let audience = Audience::default();
        let (sender, mut news) = channel(3);
        audience.join(sender);
        for text in ["a", "b", "c", "d"] {
            audience.tell(Event::Text(text));
        }
        audience.retry(&retry());
        audience.tell(Event::Text("again "));
        assert_eq!(heard(&mut news), ["a", "b", "RETRY"]);
        audience.tell(Event::Text("and "));
        audience.retry(&retry());
        for text in ["on", "ce", " more"] {
            audience.tell(Event::Text(text));
        }
        assert_eq!(heard(&mut news), ["again and ", "RETRY"]);
        audience.flush();
        assert_eq!(heard(&mut news), ["once more"]);
    }

    #[test]
    fn a_listener_that_left_costs_nothing() {
        let audience = Audience::default();
        let (sender, news) = channel(1);
        drop(news);
        audience.join(sender);
        assert_eq!(audience.locked().len(), 0);
    }
}
