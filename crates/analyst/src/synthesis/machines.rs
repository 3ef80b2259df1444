//! Which files set up machines: Terraform, Kubernetes and Ansible, by the words that tell what they hold.

use crate::statement::Statement;

/// What files hold that set up machines begins so.
const MACHINES: [&str; 3] = ["Terraform with ", "the Kubernetes ", "an Ansible playbook "];

/// Whether a sentence tells of a file that sets up machines.
pub(crate) fn is_of_machines(sentence: &str) -> bool {
    matches!(Statement::read(sentence), Some(Statement::Holds { words, .. }) if sets_up_machines(&words))
}

/// Whether what a file holds sets up machines.
pub(super) fn sets_up_machines(words: &str) -> bool {
    let is_tasks = || {
        let mut words = words.split(' ');
        words.next().is_some_and(|first| first.bytes().all(|byte| byte.is_ascii_digit()))
            && words.next() == Some("Ansible")
    };
    MACHINES.iter().any(|mark| words.starts_with(mark)) || is_tasks()
}
