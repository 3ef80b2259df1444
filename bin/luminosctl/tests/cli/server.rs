//! A model server of its own for each test.

use luminos_model_server::{Answer, ModelFacts, ModelServer, Script, Settings};

/// A server with two small models behind chat completions. It plays the script.
pub(crate) fn serve(script: Script) -> ModelServer {
    let chat_models = ["tiny", "small"].map(|id| ModelFacts::plain(id, 32_768, 8192)).to_vec();
    ModelServer::start_on_thread(script, Settings { chat_models, ..Settings::default() }).unwrap()
}

/// A server that always says the same.
pub(crate) fn says(text: &str) -> ModelServer {
    serve(Script::new().always(Answer::text(text)))
}

/// Its address for clients of chat completions.
pub(crate) fn chat_url(server: &ModelServer) -> String {
    format!("{}/v1", server.url())
}

/// What it was asked: paths and bodies.
pub(crate) fn heard(server: &ModelServer) -> Vec<String> {
    let requests = server.requests();
    let texts = requests.iter().map(|received| {
        let body = String::from_utf8_lossy(&received.request.body);
        format!("{} {} {body}", received.request.method, received.request.path)
    });
    texts.collect()
}

/// A text without the port, which differs each time.
pub(crate) fn blanked(server: &ModelServer, text: impl ToString) -> String {
    text.to_string().replace(&server.address().to_string(), "[SERVER]")
}
