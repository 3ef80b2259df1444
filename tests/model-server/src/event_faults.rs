//! What is wrong with the sequence of events, laid over a stream.

use crate::event::Event;
use crate::exchange::Api;
use crate::fault::EventFault;

/// Changes the events; gives back what is to be repeated for ever after them.
pub(crate) fn change(events: &mut Vec<Event>, api: Api, fault: &EventFault) -> Option<Event> {
    let ping = || match api {
        Api::Messages => Event::named("ping", r#"{"type":"ping"}"#),
        Api::Chat => Event { comment: Some("alive".to_owned()), ..Event::unnamed(EMPTY_CHUNK) },
    };
    match fault {
        EventFault::Malformed(at) => {
            let broken =
                Event { data: r#"{"type":"content_block_delta","index":0,"del"#.to_owned(), ..ping() };
            events.insert((*at).min(events.len()), broken);
        }
        EventFault::Unknown => *events = with_strangers(std::mem::take(events), api),
        EventFault::WithoutEnd => events.truncate(end_begins(events, api)),
        EventFault::Error(at, refusal) => {
            events.truncate(*at);
            let data = refusal.event_data(api);
            events.push(match api {
                Api::Messages => Event::named("error", data),
                Api::Chat => Event::unnamed(data),
            });
        }
        EventFault::Huge(size) => {
            let filler = "x".repeat(*size);
            let huge = match api {
                Api::Messages => Event::named("ping", format!(r#"{{"type":"ping","filler":"{filler}"}}"#)),
                Api::Chat => Event::unnamed(format!(r#"{{"choices":[],"filler":"{filler}"}}"#)),
            };
            events.insert(1.min(events.len()), huge);
        }
        EventFault::PingsOnly(count) => *events = vec![ping(); *count],
        EventFault::EndlessPings(at) => {
            events.truncate(*at);
            return Some(ping());
        }
        EventFault::Endless(at) => {
            let repeated = events.get(*at).cloned();
            events.truncate(*at);
            return repeated;
        }
        EventFault::SameIndex => {
            for event in events {
                event.data = same_index(&event.data);
            }
        }
        EventFault::LateStops => {
            let is_stop = |event: &Event| event.name.as_deref() == Some("content_block_stop");
            let (stops, mut others): (Vec<Event>, Vec<Event>) =
                std::mem::take(events).into_iter().partition(is_stop);
            let end = others.iter().position(|event| event.name.as_deref() == Some("message_delta"));
            let end = end.unwrap_or(others.len());
            others.splice(end..end, stops);
            *events = others;
        }
        EventFault::BareStarts => {
            for event in events {
                event.data = event.data.replace(r#","input":{}"#, "");
            }
        }
        EventFault::Comments => {
            for event in events {
                event.comment = Some("still working".to_owned());
            }
        }
    }
    None
}

const EMPTY_CHUNK: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":null}]}"#;

/// Where the part of a stream begins that tells of its end.
fn end_begins(events: &[Event], api: Api) -> usize {
    let is_end = |event: &Event| match api {
        Api::Messages => event.name.as_deref() == Some("message_stop"),
        Api::Chat => event.data == "[DONE]" || event.data.contains(r#""finish_reason":""#),
    };
    events.iter().position(is_end).unwrap_or(events.len())
}

fn same_index(data: &str) -> String {
    const KEY: &str = "\"index\":";
    let mut parts = data.split(KEY);
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        result.push_str(KEY);
        result.push('0');
        result.push_str(part.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    }
    result
}

/// The events with others between them that a client must pass over.
fn with_strangers(events: Vec<Event>, api: Api) -> Vec<Event> {
    let named = |name: &str, data: &str| Event::named(name, data);
    let strangers = match api {
        Api::Messages => vec![
            named("weather_report", r#"{"type":"weather_report","sky":"clear"}"#),
            named(
                "content_block_start",
                r#"{"type":"content_block_start","index":77,"content_block":{"type":"hologram","depth":3}}"#,
            ),
            named(
                "content_block_delta",
                r#"{"type":"content_block_delta","index":77,"delta":{"type":"hologram_delta","light":[1,2]}}"#,
            ),
            named("content_block_stop", r#"{"type":"content_block_stop","index":77}"#),
        ],
        Api::Chat => vec![
            Event::unnamed(r#"{"object":"weather.report","sky":"clear"}"#),
            Event::unnamed(
                r#"{"choices":[{"index":0,"delta":{"hologram":[1,2]},"finish_reason":null}],"timings":{}}"#,
            ),
        ],
    };
    let mut result = Vec::new();
    for (at, event) in events.into_iter().enumerate() {
        result.push(event);
        if at == 0 {
            result.extend(strangers.iter().cloned());
        }
    }
    result
}
