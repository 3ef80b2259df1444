use proptest::prelude::*;

use super::*;

const WHOLE: &str = "\
# Goal

Let users log in with a passkey.
Passwords stay.

## Background
We lose people at the password prompt.

## Constraints
1. No new service
2) Works offline

## Acceptance Criteria
- [ ] A user can register a passkey
- [x] [beta] flag hides it
* Logging in works
  on phones, too
  - also on old ones

## Scope
### In Scope
- Web
### Out of Scope
- Native apps
### Allowed Paths
- `src/auth/**`, `src/web/` and `docs/passkeys.md`
- config/*.toml
- Makefile
- `../other`

## Risk Assessment
| Risk | Impact | Mitigation |
|---|---|---|
| Keys get lost | High | recovery codes |
| Old browsers | Med | fall back |
| Strange \\| pipe | awful | none |

## Notes
Ask Kim.
";

#[test]
fn a_requirement_in_sections_is_read_whole() {
    let Parsed { requirement, missing, warnings } = Requirement::parse(WHOLE).unwrap();
    assert_eq!(missing, []);
    insta::assert_debug_snapshot!(warnings, @r#"
    [
        "line 29: the path `../other` is left out: it leads out of the repository",
        "line 36: the impact `awful` is none of high, medium and low, and is taken for medium",
    ]
    "#);
    insta::assert_json_snapshot!(requirement, @r#"
    {
      "goal": "Let users log in with a passkey.\nPasswords stay.",
      "background": "We lose people at the password prompt.",
      "constraints": [
        "No new service",
        "Works offline"
      ],
      "acceptanceCriteria": [
        "A user can register a passkey",
        "[beta] flag hides it",
        "Logging in works on phones, too; also on old ones"
      ],
      "inScope": [
        "Web"
      ],
      "outOfScope": [
        "Native apps"
      ],
      "allowedPaths": [
        "src/auth/**",
        "src/web/**",
        "docs/passkeys.md",
        "config/*.toml",
        "Makefile"
      ],
      "risks": [
        {
          "risk": "Keys get lost",
          "impact": "high",
          "mitigation": "recovery codes"
        },
        {
          "risk": "Old browsers",
          "impact": "medium",
          "mitigation": "fall back"
        },
        {
          "risk": "Strange | pipe",
          "impact": "medium",
          "mitigation": "none"
        }
      ],
      "notes": "Ask Kim."
    }
    "#);
}

/// The acceptance criteria of a text with a goal and one more section.
#[track_caller]
fn criteria(heading: &str, list: &str) -> Vec<String> {
    let text = format!("# Goal\nFaster log-in\n\n{heading}\n{list}");
    Requirement::parse(&text).unwrap().requirement.acceptance_criteria
}

#[test]
fn criteria_are_found_below_the_headings_that_people_write() {
    for heading in [
        "## Acceptance Criteria",
        "## Requirements",
        "## User Stories",
        "## AC",
        "## Acceptance Criteria (must have)",
        "## ✅ Acceptance Criteria",
        "## acceptance-criteria",
        "## TODO",
        "## Akzeptanzkriterien",
        "## 受け入れ基準",
        "## Kriteerit",
        "#### 3) Definition of Done:",
        "**Acceptance criteria**",
        "Acceptance criteria:",
        "Acceptance Criteria\n-------------------",
        "# Acceptance Criteria",
    ] {
        assert_eq!(criteria(heading, "- one\n- two\n"), ["one", "two"], "{heading}");
    }
}

#[test]
fn nothing_that_stands_below_a_heading_is_lost() {
    let text = "\u{feff}# Passkeys\n\nFor everybody, soon.\n\n## Goal\nFaster log-in\n## Technical details\nUse WebAuthn.\n\
        ```\n# no heading\n```\n## Acceptance Criteria\nAll of these hold:\n- one\n### On phones\n- two\n## Examples\n| a | b |\n|---|---|\n| 1 | 2 |\n\
        ## Acceptance Criteria\n- three\n## Constraints\nNo new service.\n\nNo new table.\n## Scope\n- kept bullet\n### In Scope\n- Web\n\
        ### Allowed Paths\nAsk before you touch more.\n- `src/**`\n### Out of Scope\n- Native apps\n## User stories\n- As a user I log in\n\
        ## Risks\nWe may be late.\n- (high) keys get lost\n## Notes\nAsk Kim.\n";
    let Parsed { requirement, missing, warnings } = Requirement::parse(text).unwrap();
    assert_eq!(missing, [Part::Background]);
    assert_eq!(requirement.goal, "Faster log-in");
    assert_eq!(requirement.acceptance_criteria, ["one", "On phones: two", "three"]);
    assert_eq!(requirement.constraints, ["No new service.", "No new table."]);
    assert_eq!(requirement.in_scope, ["kept bullet", "Web"]);
    assert_eq!(requirement.out_of_scope, ["Native apps"]);
    assert_eq!(requirement.allowed_paths, ["src/**"]);
    assert_eq!(requirement.risks.len(), 1);
    insta::assert_snapshot!(requirement.notes, @"
    Ask Kim.

    For everybody, soon.

    Acceptance criteria: All of these hold:

    ### Also asked for

    - As a user I log in

    Allowed paths: Ask before you touch more.

    Risks: We may be late.

    ### Technical details

    Use WebAuthn.
    ```
    # no heading
    ```

    ### Examples

    | a | b |
    |---|---|
    | 1 | 2 |
    ");
    insta::assert_snapshot!(warnings.join("\n"), @"
    line 36: `User stories` is read as context, since the acceptance criteria are listed elsewhere
    line 7: the heading `Technical details` is none that is known; what stands below it is read as context
    line 17: the heading `Examples` is none that is known; what stands below it is read as context
    ");
    // The plan by rule repeats what has no other place, and is read back from its own document.
    let again = Requirement::parse(&requirement.to_markdown()).unwrap().requirement;
    assert_eq!(
        (&again.notes, &again.acceptance_criteria),
        (&requirement.notes, &requirement.acceptance_criteria)
    );
    let drafts = crate::tasks::fallback(
        &requirement,
        &crate::tasks::Knowledge::default(),
        &crate::tasks::RepoFacts::default(),
    );
    for words in [
        "Use WebAuthn.",
        "For everybody, soon.",
        "| 1 | 2 |",
        "As a user I log in",
        "Ask Kim.",
        "kept bullet",
    ] {
        assert!(drafts.iter().all(|draft| draft.context.specs.contains(words)), "{words}");
    }
}

#[test]
fn stars_of_globs_survive_in_paths_and_criteria() {
    let read = |paths: &str| {
        Requirement::parse(&format!("# Goal\nx\n## Allowed Paths\n{paths}"))
            .unwrap()
            .requirement
            .allowed_paths
    };
    assert_eq!(read("- `**`\n"), ["**"]);
    assert_eq!(
        read("- `**/*.md`\n- **/*.rs\n- src/**, lib/**\n"),
        ["**/*.md", "**/*.rs", "src/**", "lib/**"]
    );
    assert_eq!(read("- **Only** `src/**`\n- .github/**\n"), ["src/**", ".github/**"]);
    assert_eq!(criteria("## AC", "- `a**b` and a**b are powers\n"), ["`a**b` and a**b are powers"]);
}

/// However they are written: a list that is not seen would allow everything.
#[test]
fn paths_are_found_in_every_form() {
    for text in [
        "## Allowed Paths\n- `src/**`\n- `docs/*.md`\n",
        "## Allowed Paths\n```\nsrc/**\ndocs/*.md\n```\n",
        "## Allowed Paths\n~~~text\n# code\n- src/**\n- docs/*.md\n~~~\n",
        "## Allowed Paths\n| path | why |\n|---|---|\n| `src/**` | code |\n| docs/*.md | words, e.g. a/b |\n",
        "## Allowed Paths: `src/**`, `docs/*.md`\n",
        "Allowed paths: `src/**`, `docs/*.md`\n",
        "Allowed paths: src/**, docs/*.md\n",
        "**Allowed Paths:** `src/**` and `docs/*.md`\n",
        "- **Allowed paths**: src/**, docs/*.md\n",
        "## Notes\nMay change: `src/**`, `docs/*.md`\n",
    ] {
        let Parsed { requirement, missing, .. } =
            Requirement::parse(&format!("# Goal\nx\n\n{text}")).unwrap();
        assert_eq!(requirement.allowed_paths, ["src/**", "docs/*.md"], "{text}");
        assert!(!missing.contains(&Part::AllowedPaths), "{text}");
    }
    let read = |text: &str| Requirement::parse(&format!("# Goal\nx\n\n{text}")).unwrap().requirement;
    assert_eq!(read("Do not touch: `infra/**`\n").allowed_paths, ["**", "!infra/**"]);
    assert_eq!(read("Paths: see docs/guide.md\n").allowed_paths, ["**"], "a remark is no list");
}

#[test]
fn paths_can_be_taken_out_again() {
    let read =
        |text: &str| Requirement::parse(&format!("# Goal\nx\n{text}")).unwrap().requirement.allowed_paths;
    assert_eq!(read("## Allowed Paths\n- `src/**` except `src/legacy/**`\n"), ["src/**", "!src/legacy/**"]);
    assert_eq!(read("## Allowed Paths\n- src/**\n- !src/gen/**\n"), ["src/**", "!src/gen/**"]);
    assert_eq!(read("## Allowed Paths\n- everything except `db/`\n"), ["**", "!db/**"]);
    assert_eq!(read("## Do not touch\n- `infra/**`\n"), ["**", "!infra/**"]);
}

/// A template whose risks are a list must not count as one without risks.
#[test]
fn risks_in_a_list_are_risks() {
    let text = "# Goal\nx\n## Risk Assessment\n\
        - Risk: data loss; Impact: high; Mitigation: back-ups\n\
        - (low) slow pages — cache them\n\
        - Wrong prices [impact: medium]: mitigation\n\
        - High: keys leak; rotate them\n\
        - something else\n";
    let parsed = Requirement::parse(text).unwrap();
    assert!(!parsed.missing.contains(&Part::RiskAssessment));
    let risks: Vec<String> = parsed
        .requirement
        .risks
        .iter()
        .map(|item| format!("{} | {} | {}", item.risk, item.impact, item.mitigation))
        .collect();
    insta::assert_snapshot!(risks.join("\n"), @"
    data loss | high | back-ups
    slow pages | low | cache them
    Wrong prices : mitigation | medium | 
    keys leak | high | rotate them
    something else | medium |
    ");
}

#[test]
fn free_text_is_a_requirement_too() {
    let text = "Rate-limit the login endpoint\nso that guessing takes years.\n\n- 5 tries a minute\n- the limit is configurable\n";
    let parsed = Requirement::parse(text).unwrap();
    assert_eq!(parsed.requirement.goal, "Rate-limit the login endpoint so that guessing takes years.");
    assert_eq!(parsed.requirement.acceptance_criteria, ["5 tries a minute", "the limit is configurable"]);
    assert_eq!(parsed.requirement.allowed_paths, ["**"]);
    let missing: Vec<&str> = parsed.missing.iter().map(|part| part.word()).collect();
    assert_eq!(missing, ["background", "constraints", "scope", "allowedPaths", "riskAssessment", "notes"]);
    let line = Requirement::parse("Add a --json flag").unwrap();
    assert_eq!(line.requirement.acceptance_criteria, ["Add a --json flag"]);
    assert!(line.missing.contains(&Part::AcceptanceCriteria));
}

#[test]
fn criteria_may_be_a_table_or_a_sentence() {
    let table = "# Goal\nx\n## Acceptance criteria\n| Id | Criterion |\n|--|--|\n| A1 | it works |\n| A2 | it is fast |\n";
    assert_eq!(
        Requirement::parse(table).unwrap().requirement.acceptance_criteria,
        ["A1: it works", "A2: it is fast"]
    );
    let numbered = "Tell clients\n\n| # | Criterion | Where |\n|---|---|---|\n| 1 | An event is published | src/t.c |\n| 2 | Nothing gets slower | |\n\n| No. | Also |\n|--|--|\n| 3 | It is told in the manual |\n";
    assert_eq!(
        Requirement::parse(numbered).unwrap().requirement.acceptance_criteria,
        ["An event is published (Where: src/t.c)", "Nothing gets slower", "It is told in the manual"]
    );
    let sentence = "# Goal\nx\n## Definition of done:\nIt works.\n";
    assert_eq!(Requirement::parse(sentence).unwrap().requirement.acceptance_criteria, ["It works."]);
}

#[test]
fn code_is_no_structure() {
    let text =
        "# Goal\nShow this:\n```\n# Acceptance Criteria\n- not one\n```\n## Acceptance Criteria\n- one\n";
    let requirement = Requirement::parse(text).unwrap().requirement;
    assert_eq!(requirement.acceptance_criteria, ["one"]);
    assert!(requirement.goal.contains("not one"));
}

#[test]
fn nothing_is_no_requirement() {
    assert_eq!(Requirement::parse(" \n\t"), Err(NotARequirement::Empty));
    assert_eq!(Requirement::parse("#\n##\n"), Requirement::parse("#\n##\n"));
    assert_eq!(Requirement::parse("# Add a flag\n").unwrap().requirement.goal, "Add a flag");
}

#[test]
fn a_rendered_requirement_reads_back_the_same() {
    let requirement = Requirement::parse(WHOLE).unwrap().requirement;
    let again = Requirement::parse(&requirement.to_markdown()).unwrap();
    assert_eq!(Requirement { raw: requirement.raw.clone(), ..again.requirement }, requirement);
    assert!(again.warnings.is_empty());
}

proptest! {
    #[test]
    fn no_text_breaks_the_parser(text in "([#|*\\-`\\[\\]0-9. \\nA-Za-z/é]|\\PC){0,200}") {
        if let Ok(parsed) = Requirement::parse(&text) {
            prop_assert!(parsed.requirement.check().is_ok());
            prop_assert_eq!(parsed.requirement.raw, text);
        }
    }

    #[test]
    fn lists_come_back_from_markdown(
        criteria in prop::collection::vec("[a-z\\[(][a-z \\[\\]()]{0,20}[a-z]", 1..5),
        constraints in prop::collection::vec("[a-z][a-z `]{0,20}[a-z]", 0..4),
    ) {
        let requirement = Requirement {
            goal: "x".to_owned(),
            acceptance_criteria: criteria.clone(),
            constraints: constraints.clone(),
            allowed_paths: vec!["src/**".to_owned()],
            ..Requirement::default()
        };
        let again = Requirement::parse(&requirement.to_markdown()).unwrap().requirement;
        let is_word = |item: &String| !matches!(item.as_str(), "none" | "tbd" | "todo");
        prop_assert_eq!(again.acceptance_criteria, criteria.into_iter().filter(is_word).collect::<Vec<_>>());
        prop_assert_eq!(again.constraints, constraints.into_iter().filter(is_word).collect::<Vec<_>>());
    }
}
