//! The files under `config/` say what the code does.

use luminos_core::config::{Author, ConfigFile, Layer, SETTINGS, Surroundings, resolve};

const LUMINOS_TOML: &str = include_str!("../../../config/luminos.toml");
const MODELS_TOML: &str = include_str!("../../../config/models.toml");

fn around() -> Surroundings {
    Surroundings {
        current_dir: "/work".into(),
        home_dir: Some("/home/ada".into()),
        ..Surroundings::default()
    }
}

#[test]
fn the_documented_file_changes_nothing() {
    let file =
        ConfigFile { path: "luminos.toml".into(), text: LUMINOS_TOML.to_owned(), author: Author::User };
    let documented = resolve(Layer::default(), &[file], &around()).unwrap();
    let default = resolve(Layer::default(), &[], &around()).unwrap();
    assert_eq!(documented.config, default.config);
}

#[test]
fn the_documented_file_explains_every_setting_in_the_words_of_the_table() {
    let defaults = resolve(Layer::default(), &[], &around()).unwrap();
    let mut section_start = 0;
    for (setting, shown) in SETTINGS.iter().zip(defaults.settings()) {
        let (section, name) = setting.section_and_name();
        if !section.is_empty() {
            section_start = LUMINOS_TOML.find(&format!("\n[{section}]\n")).expect(section);
        }
        let doc: String = setting.doc.lines().map(|line| format!("#{line}\n")).collect();
        let line = match name {
            // Their defaults depend on the machine, so they can only be shown as examples.
            "config" => "# config = \"~/.config/luminos/models.toml\"".to_owned(),
            "home" => "# home = \"~/.local/state/luminos\"".to_owned(),
            name => format!("{name} = {}", shown.value),
        };
        let expected = format!("\n{doc}{line}\n");
        assert!(
            LUMINOS_TOML[section_start..].contains(&expected),
            "config/luminos.toml should hold in [{section}]:\n{expected}"
        );
    }
}

#[test]
fn every_model_has_all_columns_and_plausible_numbers() {
    let models: toml::Table = MODELS_TOML.parse().unwrap();
    assert!(!models.is_empty());
    for (id, model) in &models {
        let mut model = model.as_table().unwrap().clone();
        let mut take = |column: &str| model.remove(column).unwrap_or_else(|| panic!("{id} lacks {column}"));

        assert_eq!(take("provider").as_str(), Some("anthropic"), "{id}");
        let [window, max_output, min_cached_prefix] =
            ["window", "max-output", "min-cached-prefix"].map(|column| {
                take(column).as_integer().unwrap_or_else(|| panic!("{id}: {column} is no integer"))
            });
        assert!(0 < min_cached_prefix && min_cached_prefix < max_output && max_output < window, "{id}");

        let [read, input, write_5m, write_1h, output] =
            ["cache-read", "input", "cache-write-5m", "cache-write-1h", "output"].map(|column| {
                take(column).as_float().unwrap_or_else(|| panic!("{id}: {column} is no price"))
            });
        assert!(0.0 < read && read < input && input < write_5m && write_5m < write_1h, "{id}");
        assert!(input < output, "{id}");

        let long_prompt = (model.remove("long-prompt-above"), model.remove("long-prompt-factor"));
        if let (Some(above), Some(factor)) = &long_prompt {
            assert!(above.as_integer().is_some_and(|above| 0 < above && above < window), "{id}");
            assert!(factor.as_float().is_some_and(|factor| 1.0 < factor), "{id}");
        } else {
            assert_eq!(long_prompt, (None, None), "{id}: both or none");
        }
        assert!(model.is_empty(), "{id} has columns that nobody reads: {model:?}");
    }
}
