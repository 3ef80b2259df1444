//! Which section a heading begins, in the words that people use for it.
//!
//! A heading is compared without marks, emoji, numbers before it and remarks in brackets; hyphens, underscores and a change
//! from small to capital letters separate words. Some words mean a section only where they do not stand below one:
//! `Summary` below `Background` is a part of the background.

/// A section of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SectionKind {
    /// What is wanted.
    Goal,
    /// Why.
    Background,
    /// What must hold on the way.
    Constraints,
    /// What is true when it is done.
    Criteria,
    /// What may stand for criteria where nobody wrote any.
    Wishes,
    /// What belongs to it, or heads what does and what does not.
    Scope,
    /// What belongs to it.
    InScope,
    /// What does not.
    OutOfScope,
    /// What may be changed.
    Paths,
    /// What may not be changed.
    DeniedPaths,
    /// What may go wrong.
    Risks,
    /// What else.
    Notes,
}

/// Names of a section, in the form of [`normal`]. The longer names of all sections are also found inside a heading.
const NAMES: &[(SectionKind, &str)] = &[
    (
        SectionKind::OutOfScope,
        "out of scope|excluded|non goals|nongoals|no goals|not in scope|not included|what is not included|exclusions\
         |not part of this|nicht im umfang|nicht ziele|nichtziele|außerhalb des umfangs|hors périmètre|hors scope\
         |hors de portée|fuera de alcance|fuera del alcance|fuori ambito|fora do escopo|buiten scope|対象外|スコープ外\
         |不在范围|不在范围内|范围外|범위 외|비목표|вне рамок",
    ),
    (
        SectionKind::DeniedPaths,
        "denied paths|denied path|forbidden paths|forbidden files|protected paths|protected files|do not touch\
         |do not change|must not change|off limits",
    ),
    (
        SectionKind::Criteria,
        "acceptance criteria|acceptance criterion|acceptance|definition of done|dod|done when|done if|success criteria\
         |success criterion|exit criteria|acceptance tests|acceptance test|acceptance checklist|ac|acs|a c\
         |conditions of satisfaction|it is done when|akzeptanzkriterien|abnahmekriterien|critères d acceptation\
         |critères de réussite|criterios de aceptación|criteri di accettazione|critérios de aceitação\
         |acceptatiecriteria|受け入れ基準|受入基準|受け入れ条件|受入条件|完了条件|完了の定義|验收标准|验收条件|驗收標準|완료 조건\
         |수용 기준|인수 조건|критерии приемки|критерии приёмки",
    ),
    (
        SectionKind::Constraints,
        "constraints|constraint|non functional requirements|nonfunctional requirements|nfr|nfrs|restrictions|limitations\
         |guardrails|boundary conditions|einschränkungen|randbedingungen|rahmenbedingungen|contraintes|restricciones\
         |vincoli|restrições|randvoorwaarden|制約|制約条件|约束|约束条件|限制|제약|제약 조건|ограничения",
    ),
    (
        SectionKind::Wishes,
        "requirements|requirement|functional requirements|user stories|stories|todo|todos|to do|to dos|to do list|todo list\
         |tasks|checklist|deliverables|features|must have|must haves|should have|should haves|could have|nice to have\
         |expected behavior|expected behaviour|expected result|expected results|desired behavior|desired behaviour\
         |what should happen|what to do|use cases|anforderungen|aufgaben|exigences|besoins|requisitos|requisiti|eisen\
         |要件|機能要件|需求|要求|요구사항|요구 사항|требования|задачи",
    ),
    (
        SectionKind::Paths,
        "allowed paths|allowed path|paths|allowed files|files to change|files that may change|files that may be changed\
         |paths that may change|may change|may be changed|allowed to change|erlaubte pfade|chemins autorisés\
         |rutas permitidas|percorsi consentiti|変更可能なパス|許可パス|允许路径|允许的路径",
    ),
    (SectionKind::InScope, "in scope|included|what is included|im umfang|スコープ内|范围内"),
    (
        SectionKind::Scope,
        "scope|scope of work|umfang|périmètre|portée|alcance|ambito|escopo|スコープ|範囲|対象範囲|范围|범위",
    ),
    (
        SectionKind::Risks,
        "risk assessment|risks|risk|risk analysis|risiken|risikobewertung|risques|riesgos|rischi|riscos|risico s|リスク\
         |风险|風險|위험|риски",
    ),
    (
        SectionKind::Goal,
        "goal|goals|objective|objectives|purpose|aim|what we want|what is wanted|ziel|ziele|zielsetzung|objectif|objectifs\
         |objetivo|objetivos|obiettivo|obiettivi|doel|doelen|目的|目標|目标|ゴール|목표|цель|цели",
    ),
    (
        SectionKind::Background,
        "background|motivation|problem|problem statement|rationale|why|current situation|current state|current behavior\
         |current behaviour|hintergrund|ausgangslage|antecedentes|背景|배경|предыстория",
    ),
    (
        SectionKind::Notes,
        "notes|additional notes|other notes|further notes|anmerkungen|hinweise|bemerkungen|notizen|remarques|notas|備考\
         |メモ|备注|備註|비고|примечания|заметки",
    ),
];

/// Names that mean a section only where they do not stand below another one.
const WEAK: &[(SectionKind, &str)] = &[
    (
        SectionKind::Goal,
        "summary|description|user story|feature request|tldr|tl dr|what|zusammenfassung|résumé|resumen",
    ),
    (SectionKind::Background, "context|introduction|history|kontext|contexte|contexto|contesto|контекст"),
    (SectionKind::Notes, "note|remarks|comments|misc|miscellaneous"),
];

/// Words that continue a name of one word: `Goal of this change`, `Risks and mitigations`.
const CONNECTORS: &[&str] = &["of", "for", "and", "in", "to", "that"];

/// Where a heading stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Below no section that is known.
    Free,
    /// Below one.
    Nested,
}

/// The section that a heading begins; `None` if its words say nothing of the kind.
pub(super) fn meaning(heading: &str, standing: Standing) -> Option<SectionKind> {
    [Capitals::Joined, Capitals::Separate].into_iter().find_map(|capitals| {
        let whole = normal(heading, capitals);
        let short = without_number(&whole);
        exact(&whole, standing).or_else(|| exact(short, standing)).or_else(|| inexact(short, standing))
    })
}

/// The section that some words contain the name of, or that they begin with the name of.
fn inexact(short: &str, standing: Standing) -> Option<SectionKind> {
    let padded = format!(" {short} ");
    let is_inside = |name: &&str| name.contains(' ') && padded.contains(&format!(" {name} "));
    if let Some(part) = first_part(NAMES, |name| is_inside(&name)) {
        return Some(part);
    }
    let (first, rest) = short.split_once(' ')?;
    let goes_on = CONNECTORS.contains(&rest.split(' ').next().unwrap_or_default());
    if goes_on { exact(first, standing) } else { None }
}

/// The section that a line of text stands for a heading of: nothing but one of the certain names.
pub(super) fn meaning_of_line(line: &str) -> Option<SectionKind> {
    first_part(NAMES, |name| name == normal(line, Capitals::Joined))
}

fn exact(words: &str, standing: Standing) -> Option<SectionKind> {
    let certain = first_part(NAMES, |name| name == words);
    certain.or_else(|| (standing == Standing::Free).then(|| first_part(WEAK, |name| name == words)).flatten())
}

fn first_part(table: &[(SectionKind, &str)], is_meant: impl Fn(&str) -> bool) -> Option<SectionKind> {
    table.iter().find(|(_, names)| names.split('|').any(&is_meant)).map(|(part, _)| *part)
}

/// Whether a capital letter after a small one begins a word: in `AcceptanceCriteria` it does, in `DoD` it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Capitals {
    Joined,
    Separate,
}

/// The words of a heading, in small letters, with single spaces.
fn normal(heading: &str, capitals: Capitals) -> String {
    let mut text = String::new();
    let mut depth = 0_u32;
    let mut before = ' ';
    for letter in heading.chars() {
        match letter {
            '(' | '[' | '（' => depth += 1,
            ')' | ']' | '）' => depth = depth.saturating_sub(1),
            _ if 0 < depth => {}
            '&' => text.push_str(" and "),
            letter if letter.is_alphanumeric() => {
                if capitals == Capitals::Separate && before.is_lowercase() && letter.is_uppercase() {
                    text.push(' ');
                }
                text.extend(letter.to_lowercase());
            }
            // Marks that a keyboard adds to emoji are no separation of their own.
            '\u{fe0f}' | '\u{200d}' => {}
            _ => text.push(' '),
        }
        before = letter;
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Without `1.`, `2.3`, `IV.` or `b)` before it.
fn without_number(words: &str) -> &str {
    let mut rest = words;
    while let Some((first, after)) = rest.split_once(' ') {
        let is_roman = first.len() <= 4 && first.chars().all(|letter| "ivx".contains(letter));
        let is_number = first.chars().all(|letter| letter.is_ascii_digit());
        let is_letter = first.len() == 1 && first.is_ascii();
        if !(is_roman || is_number || is_letter) {
            break;
        }
        rest = after;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_known_in_usual_wordings() {
        for (part, headings) in [
            (
                SectionKind::Criteria,
                &[
                    "Acceptance Criteria",
                    "acceptance-criteria",
                    "acceptance_criteria",
                    "AcceptanceCriteria",
                    "✅ Acceptance Criteria",
                    "⚙️ Acceptance criteria:",
                    "Acceptance Criteria (must have)",
                    "**3. Acceptance Criteria**",
                    "2.1 Acceptance criteria for the API",
                    "User acceptance criteria",
                    "AC",
                    "A.C.",
                    "ACs",
                    "Definition of Done",
                    "DoD",
                    "Done when…",
                    "Success criteria",
                    "Akzeptanzkriterien",
                    "Critères d'acceptation",
                    "Criterios de aceptación",
                    "受け入れ基準",
                    "验收标准",
                ][..],
            ),
            (
                SectionKind::Wishes,
                &[
                    "Requirements",
                    "User Stories",
                    "TODO",
                    "To-do",
                    "📋 Requirements",
                    "Functional requirements",
                    "Must have",
                    "Expected behaviour",
                    "Anforderungen",
                ],
            ),
            (
                SectionKind::Constraints,
                &[
                    "Constraints",
                    "Non-functional requirements",
                    "Constraints & assumptions",
                    "Randbedingungen",
                ],
            ),
            (
                SectionKind::Goal,
                &["Goal", "Goals", "🎯 Goal", "Objective", "Goal of this change", "Ziel", "Summary", "目的"],
            ),
            (
                SectionKind::Background,
                &["Background", "Context", "Why?", "Motivation and history", "Problem statement"],
            ),
            (
                SectionKind::OutOfScope,
                &["Out of scope", "Out-of-Scope", "Non-goals", "What is out of scope?", "Not in scope"],
            ),
            (SectionKind::InScope, &["In scope", "In-Scope:"]),
            (SectionKind::Scope, &["Scope", "Scope of work", "Umfang"]),
            (
                SectionKind::Paths,
                &["Allowed Paths", "allowed-paths", "Files to change", "Allowed paths (globs)"],
            ),
            (SectionKind::DeniedPaths, &["Do not touch", "Forbidden paths"]),
            (SectionKind::Risks, &["Risks", "Risk Assessment", "⚠️ Risks & mitigations", "Risiken"]),
            (SectionKind::Notes, &["Notes", "Additional notes", "Anmerkungen"]),
        ] {
            for heading in headings {
                assert_eq!(meaning(heading, Standing::Free), Some(part), "{heading}");
            }
        }
        for heading in
            ["Technical details", "Examples", "API", "Scope creep", "Risk model", "", "12", "Deployment"]
        {
            assert_eq!(meaning(heading, Standing::Free), None, "{heading}");
        }
        assert_eq!(meaning("Summary", Standing::Nested), None);
        assert_eq!(meaning("Acceptance criteria", Standing::Nested), Some(SectionKind::Criteria));
    }
}
