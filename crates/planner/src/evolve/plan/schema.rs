//! The bounds of a plan, as a schema.

use luminos_models::{BadSchema, JsonSpec};
use serde_json::{Value, json};

use super::{PlanStep, PlanningPlan};
use crate::evolve::clip::{clip, clip_line};

/// The most steps of a plan.
pub(crate) const MOST_STEPS: usize = 6;

/// The fewest steps of a plan that a model writes.
pub(crate) fn fewest_steps() -> usize {
    3
}

/// How long things may be, in characters and items.
pub(crate) mod bounds {
    pub(crate) const SUMMARY: usize = 512;
    pub(crate) const RATIONALE: usize = 2048;
    pub(crate) const FALLBACK: usize = 1200;
    pub(crate) const FOCUS: usize = 10;
    pub(crate) const METRIC: usize = 128;
    pub(crate) const LIST: usize = 20;
    pub(crate) const ITEM: usize = 200;
    pub(crate) const ID: usize = 64;
    pub(crate) const TITLE: usize = 120;
    pub(crate) const INTENT: usize = 400;
    pub(crate) const STEP_LIST: usize = 12;
    pub(crate) const FILES: usize = 30;
    pub(crate) const FILE: usize = 256;
}

/// What a model's plan must look like.
#[derive(Debug)]
pub(crate) struct PlanSpec {
    spec: JsonSpec,
}

impl PlanSpec {
    /// The schema, ready for checks.
    pub(crate) fn new() -> Result<Self, BadSchema> {
        JsonSpec::new("evolution_plan", schema()).map(|spec| Self { spec })
    }

    /// The schema as the runner of structured answers takes it.
    pub(crate) fn json(&self) -> &JsonSpec {
        &self.spec
    }
}

fn text(most: usize, description: &str) -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": most, "pattern": "\\S", "description": description})
}

fn list(fewest: usize, most: usize, item: usize, description: &str) -> Value {
    json!({
        "type": "array",
        "minItems": fewest,
        "maxItems": most,
        "items": {"type": "string", "minLength": 1, "maxLength": item, "pattern": "\\S"},
        "description": description,
    })
}

fn schema() -> Value {
    use bounds::{
        FALLBACK, FILE, FILES, FOCUS, ID, INTENT, ITEM, LIST, METRIC, RATIONALE, STEP_LIST, SUMMARY, TITLE,
    };
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["plan_summary", "rationale", "focus_metrics", "guardrails", "risks", "validation", "steps"],
        "properties": {
            "plan_summary": text(SUMMARY, "What the plan is about, at most 512 characters."),
            "rationale": text(RATIONALE, "Why this plan: which metrics and commits speak for it."),
            "focus_metrics": list(1, FOCUS, METRIC, "Names of metrics that should get better; names of known metrics where there are any."),
            "guardrails": list(1, LIST, ITEM, "What must not happen."),
            "risks": list(1, LIST, ITEM, "What may go wrong."),
            "validation": list(1, LIST, ITEM, "How to see that the whole worked."),
            "steps": {
                "type": "array",
                "minItems": fewest_steps(),
                "maxItems": MOST_STEPS,
                "description": "3 to 6 steps, in an order in which they can be taken.",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["id", "title", "intent", "actions", "validation"],
                    "properties": {
                        "id": text(ID, "A short name, used once."),
                        "title": text(TITLE, "At most 120 characters."),
                        "intent": text(INTENT, "What the step is for, at most 400 characters."),
                        "actions": list(1, STEP_LIST, ITEM, "What to do."),
                        "validation": list(1, STEP_LIST, ITEM, "How to see that the step worked."),
                        "files": list(0, FILES, FILE, "Files to change, relative to the repository, as they are listed; a file to be made is written `PATH (new)`."),
                        "dependencies": list(0, STEP_LIST, ITEM, "Ids of steps that come before."),
                        "risks": list(0, STEP_LIST, ITEM, "What may go wrong in this step."),
                        "references": list(0, STEP_LIST, FILE, "Commits and files that the step rests on."),
                    },
                },
            },
            "handoff_notes": list(0, LIST, ITEM, "What whoever carries it out should know."),
            "fallback_plan": text(FALLBACK, "What to do if it does not work."),
        },
    })
}

impl PlanningPlan {
    /// A plan from a document that fits the schema.
    pub(crate) fn read(document: &Value) -> Self {
        let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().trim().to_owned();
        let list = |value: &Value, key: &str| -> Vec<String> {
            let items = value[key].as_array().into_iter().flatten();
            items.filter_map(Value::as_str).map(|item| item.trim().to_owned()).collect()
        };
        let step = |step: &Value| PlanStep {
            step_id: text(step, "id"),
            title: text(step, "title"),
            intent: text(step, "intent"),
            actions: list(step, "actions"),
            files: list(step, "files"),
            dependencies: list(step, "dependencies"),
            validation: list(step, "validation"),
            risks: list(step, "risks"),
            references: list(step, "references"),
        };
        Self {
            summary: text(document, "plan_summary"),
            rationale: text(document, "rationale"),
            focus_metrics: list(document, "focus_metrics"),
            guardrails: list(document, "guardrails"),
            risks: list(document, "risks"),
            validation: list(document, "validation"),
            steps: document["steps"].as_array().into_iter().flatten().map(step).collect(),
            handoff_notes: list(document, "handoff_notes"),
            fallback_plan: Some(text(document, "fallback_plan")).filter(|text| !text.is_empty()),
        }
    }

    /// The plan within its bounds. For plans that are made here, not by a model.
    pub(crate) fn bounded(mut self) -> Self {
        use bounds::{
            FALLBACK, FILE, FILES, FOCUS, ID, INTENT, ITEM, LIST, METRIC, RATIONALE, STEP_LIST, SUMMARY,
            TITLE,
        };
        let list = |items: &mut Vec<String>, most: usize, length: usize| {
            let mut seen: Vec<String> = Vec::new();
            for item in items.drain(..) {
                let item = clip_line(&item, length);
                if !item.is_empty() && !seen.contains(&item) && seen.len() < most {
                    seen.push(item);
                }
            }
            *items = seen;
        };
        self.summary = clip_line(&self.summary, SUMMARY);
        self.rationale = clip(&self.rationale, RATIONALE);
        list(&mut self.focus_metrics, FOCUS, METRIC);
        for items in [&mut self.guardrails, &mut self.risks, &mut self.validation, &mut self.handoff_notes] {
            list(items, LIST, ITEM);
        }
        self.fallback_plan =
            self.fallback_plan.map(|text| clip(&text, FALLBACK)).filter(|text| !text.is_empty());
        self.steps.truncate(MOST_STEPS);
        for step in &mut self.steps {
            step.step_id = clip_line(&step.step_id, ID);
            step.title = clip_line(&step.title, TITLE);
            step.intent = clip_line(&step.intent, INTENT);
            for items in [&mut step.actions, &mut step.validation, &mut step.dependencies, &mut step.risks] {
                list(items, STEP_LIST, ITEM);
            }
            list(&mut step.files, FILES, FILE);
            list(&mut step.references, STEP_LIST, FILE);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn document() -> Value {
        let step = |id: &str, after: &[&str]| json!({"id": id, "title": "T", "intent": "I", "actions": ["a"], "validation": ["v"], "dependencies": after});
        json!({
            "plan_summary": "S", "rationale": "R", "focus_metrics": ["speed"], "guardrails": ["g"], "risks": ["r"],
            "validation": ["v"], "steps": [step("a", &[]), step("b", &["a"]), step("c", &["a", "b"])],
        })
    }

    fn refused(change: impl FnOnce(&mut Value)) -> String {
        let spec = PlanSpec::new().unwrap();
        let mut changed = document();
        assert_eq!(spec.json().check(&changed), Ok(()));
        change(&mut changed);
        spec.json().check(&changed).unwrap_err().join("; ")
    }

    #[test]
    fn strict_means_strict() {
        let steps = |count: usize| {
            move |plan: &mut Value| plan["steps"] = vec![document()["steps"][0].clone(); count].into()
        };
        assert!(refused(steps(0)).contains("/steps"));
        assert!(refused(steps(2)).contains("/steps"));
        assert!(refused(steps(7)).contains("/steps"));
        assert!(refused(|plan| plan["extra"] = json!(1)).contains("extra"));
        assert!(refused(|plan| plan["steps"][0]["extra"] = json!(1)).contains("extra"));
        assert!(refused(|plan| plan["steps"][0]["id"] = json!(1)).contains("/steps/0/id"));
        assert!(refused(|plan| plan["steps"][1]["actions"] = json!([])).contains("/steps/1/actions"));
        assert!(refused(|plan| plan["steps"][1]["actions"] = json!([" "])).contains("/steps/1/actions/0"));
        assert!(
            refused(|plan| plan["steps"][1]["title"] = json!("x".repeat(121))).contains("/steps/1/title")
        );
        assert!(refused(|plan| plan["plan_summary"] = json!("x".repeat(513))).contains("/plan_summary"));
        assert!(refused(|plan| plan["focus_metrics"] = json!([])).contains("/focus_metrics"));
        assert!(refused(|plan| plan["steps"][0]["files"] = json!(vec!["x"; 31])).contains("/steps/0/files"));
    }

    #[test]
    fn a_strict_mode_gets_a_schema_it_can_take() {
        let spec = PlanSpec::new().unwrap();
        assert!(spec.json().is_native());
        let given = &spec.json().output().schema;
        let keys =
            |object: &Value| object["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        for object in [given, &given["properties"]["steps"]["items"]] {
            assert_eq!(object["required"], json!(keys(object)), "every key is required");
            assert_eq!(object["additionalProperties"], json!(false));
        }
        assert_eq!(given["properties"]["fallback_plan"]["type"], json!(["string", "null"]));
    }

    #[test]
    fn a_document_becomes_a_plan() {
        let plan = PlanningPlan::read(&document());
        assert_eq!(plan.steps.iter().map(|step| step.step_id.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!((plan.steps[2].dependencies.len(), plan.fallback_plan), (2, None));
    }

    #[test]
    fn a_plan_made_here_fits_the_same_bounds() {
        let long = "word ".repeat(1000);
        let step = PlanStep {
            step_id: long.clone(),
            title: long.clone(),
            intent: long.clone(),
            actions: vec![long.clone(); 3],
            files: (0..50).map(|at| format!("f{at}")).collect(),
            dependencies: vec![long.clone()],
            validation: vec![" ".to_owned(), "v".to_owned()],
            risks: vec![long.clone()],
            references: vec![long.clone()],
        };
        let plan = PlanningPlan {
            summary: long.clone(),
            rationale: long.clone(),
            focus_metrics: vec!["m".to_owned(); 20],
            guardrails: (0..40).map(|at| format!("{at} {long}")).collect(),
            risks: vec!["r".to_owned()],
            validation: vec!["v".to_owned()],
            steps: vec![step; 9],
            handoff_notes: vec![long.clone()],
            fallback_plan: Some(long),
        }
        .bounded();
        let mut document = serde_json::to_value(&plan).unwrap();
        document["plan_summary"] = document.as_object_mut().unwrap().remove("summary").unwrap();
        for step in document["steps"].as_array_mut().unwrap() {
            step["id"] = step.as_object_mut().unwrap().remove("step_id").unwrap();
        }
        assert_eq!(PlanSpec::new().unwrap().json().check(&document), Ok(()));
    }
}
