//! The kinds of facts.

use serde::{Deserialize, Serialize};

use super::Day;

/// What is known of a file or directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// A manifest or README describes what this is.
    Description {
        /// Its words.
        text: String,
    },
    /// A source file says what it is for.
    OwnWords {
        /// Its words.
        text: String,
    },
    /// A manifest declares a package.
    Package {
        /// What kind, such as `Rust crate`.
        kind: String,
        /// The package's name.
        name: String,
        /// Its version.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
    },
    /// A file names the version of all that lies with it.
    Version {
        /// The version.
        version: String,
    },
    /// A file grants a licence.
    Licence {
        /// Its usual name.
        name: String,
    },
    /// A file offers things that can be called.
    Offers {
        /// What they are.
        offer: OfferKind,
        /// Their names.
        names: Vec<String>,
    },
    /// A program starts here.
    EntryPoint {
        /// The code that shows it.
        code: String,
    },
    /// A manifest names the parts of a workspace.
    Members {
        /// The parts.
        names: Vec<String>,
    },
    /// A manifest names what is needed.
    Dependencies {
        /// Packages.
        names: Vec<String>,
    },
    /// A manifest names what those need who work on it.
    DevelopmentDependencies {
        /// Packages.
        names: Vec<String>,
    },
    /// A source file defines types or functions.
    Definitions {
        /// The main ones.
        symbols: Vec<Symbol>,
    },
    /// A type or function is explained where it is defined.
    Documentation {
        /// The type or function.
        symbol: Symbol,
        /// The words there.
        text: String,
    },
    /// A file tells the commands for something.
    Commands {
        /// What one does with them.
        purpose: Purpose,
        /// The commands.
        commands: Vec<String>,
    },
    /// A manifest says what it must be run or built with.
    Requirement {
        /// A tool or language.
        tool: String,
        /// Which versions of it.
        version: String,
    },
    /// A manifest says which file others load.
    EntryFile {
        /// The file, as it is written there.
        file: String,
    },
    /// A file opens ports.
    Ports {
        /// The ports, as they are written.
        ports: Vec<String>,
    },
    /// A file starts services.
    Services {
        /// The services.
        services: Vec<Service>,
    },
    /// A file takes variables of the environment.
    Variables {
        /// Their names.
        names: Vec<String>,
    },
    /// What the repository's history is.
    History {
        /// How many commits.
        commits: u64,
        /// Whether there are more than were counted.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_cut: bool,
        /// How many different mail addresses wrote them.
        authors: u64,
        /// The first day.
        first: Day,
        /// The last day.
        last: Day,
        /// How many of the commits are of the year that ends with the last day.
        last_year: u64,
        /// How many authors those have.
        last_year_authors: u64,
    },
    /// Some files change more than others.
    Churn {
        /// How many commits were compared.
        commits: u64,
        /// The files, those that change most first.
        files: Vec<Change>,
    },
    /// The files of a directory, or a file, import modules.
    Imports {
        /// The modules; of a directory those that most files import first.
        modules: Vec<String>,
    },
    /// A document says what a file or directory is.
    Mention {
        /// The file or directory, as it is called there.
        of: String,
        /// The words.
        text: String,
    },
    /// Many files beside it name a type.
    NamedBeside {
        /// The type.
        symbol: Symbol,
        /// How many other files of the directory name it.
        files: u64,
    },
    /// A project refers to other projects of the target.
    References {
        /// The directories of the others.
        dirs: Vec<String>,
    },
    /// A document has a title.
    Title {
        /// The title.
        text: String,
    },
    /// What a single file of data, or one that sets up machines, holds.
    Contents(Contents),
    /// A table has columns.
    Columns {
        /// Their names.
        names: Vec<String>,
    },
    /// A file of data covers a time.
    Period {
        /// The first day or moment, as it is written there.
        from: String,
        /// The last.
        to: String,
    },
    /// Something is wrong with data.
    Fault {
        /// How much it matters.
        gravity: Gravity,
        /// What, in words.
        text: String,
    },
    /// What a directory without a program holds of one kind.
    Holding(Holding),
    /// How much a source file defines.
    Counts {
        /// Types.
        #[serde(default, skip_serializing_if = "is_zero")]
        types: u64,
        /// Functions.
        #[serde(default, skip_serializing_if = "is_zero")]
        functions: u64,
        /// Tests.
        #[serde(default, skip_serializing_if = "is_zero")]
        tests: u64,
    },
}

/// What a file offers to be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// Programs that are installed.
    Programs,
    /// Scripts of npm or composer.
    Scripts,
    /// Targets of make.
    Targets,
    /// Tasks of rake.
    Tasks,
    /// Recipes of just.
    Recipes,
}

/// A type, function or module of a source file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Symbol {
    /// What it is: `struct`, `function`.
    pub kind: String,
    /// What it is called.
    pub name: String,
}

/// What a command is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Get what it needs.
    Install,
    /// Make it.
    Build,
    /// Try whether it works.
    Test,
    /// Look at its form: linters, formatters, types.
    Check,
    /// Start it.
    Run,
    /// Make its documentation.
    Document,
}

impl Purpose {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 6] =
        [Self::Install, Self::Build, Self::Test, Self::Check, Self::Run, Self::Document];
}

/// A service that is started beside others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Service {
    /// What it is called.
    pub name: String,
    /// The image it is started from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
}

/// How often a file was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The file.
    pub file: String,
    /// The commits that changed it.
    pub commits: u64,
}

/// What a single file holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Contents {
    /// A table.
    Table {
        /// Its rows.
        rows: u64,
        /// Its first columns.
        columns: Vec<Column>,
        /// How many more it has.
        #[serde(default)]
        more_columns: u64,
    },
    /// A notebook.
    Notebook {
        /// Cells of code.
        code_cells: u64,
        /// Cells of text.
        text_cells: u64,
        /// The language of its code.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        language: Option<String>,
        /// Cells that hold what they gave when they were run.
        with_output: u64,
    },
    /// A log.
    Log {
        /// Its lines.
        lines: u64,
        /// How many of them are of each level.
        levels: Vec<Count>,
    },
    /// A mailbox.
    Mailbox {
        /// Its messages.
        messages: u64,
    },
    /// Blocks of Terraform.
    Terraform {
        /// The kinds of its resources, one for each resource.
        resources: Vec<String>,
        /// Modules that it uses.
        modules: Vec<String>,
        /// Providers that it uses.
        providers: Vec<String>,
        /// Variables.
        variables: Vec<String>,
        /// Outputs.
        outputs: Vec<String>,
    },
    /// Objects of Kubernetes.
    Kubernetes {
        /// The objects.
        objects: Vec<KubernetesObject>,
    },
    /// A playbook of Ansible.
    Playbook {
        /// The groups of hosts that it is for.
        hosts: Vec<String>,
        /// What its tasks are called.
        tasks: Vec<String>,
    },
    /// Tasks of a role of Ansible.
    AnsibleTasks {
        /// Whether they only run when others ask for them.
        are_handlers: bool,
        /// How many.
        count: u64,
        /// What they are called, as far as that can be told.
        names: Vec<String>,
    },
}

impl Contents {
    /// Whether it sets up machines.
    pub fn sets_up_machines(&self) -> bool {
        match self {
            Self::Terraform { .. }
            | Self::Kubernetes { .. }
            | Self::Playbook { .. }
            | Self::AnsibleTasks { .. } => true,
            Self::Table { .. } | Self::Notebook { .. } | Self::Log { .. } | Self::Mailbox { .. } => false,
        }
    }
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// What its values are: `date`, `text`, `decimal`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The smallest and the largest value, where values have an order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(String, String)>,
    /// How many different values there are, where they are few.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub different: Option<u64>,
}

/// An object of Kubernetes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KubernetesObject {
    /// Its kind.
    pub kind: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A number of something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// How many.
    pub number: u64,
    /// Of what, in words that fit the number.
    pub of: String,
}

/// How much it matters that something is wrong with data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gravity {
    /// It tells about the world: something stops, does not fit or is about people.
    High,
    /// It tells about cells and files.
    Usual,
    /// Hardly anybody needs to know.
    Low,
    /// The same is told in more detail of the whole set that the file belongs to.
    Repeated,
}

/// What a directory holds of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holding {
    /// How many.
    pub count: u64,
    /// Of what: `photo`.
    pub noun: String,
    /// The first and the last day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<(Day, Day)>,
    /// What else is known of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<Detail>,
}

/// Something more about things of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// In words.
    Text(String),
    /// Names of single files, tables or things in them, in words.
    Names(String),
    /// Numbers, which add up where sets are told together.
    Counts(Vec<Count>),
    /// Things one by one, which are told together where sets are.
    List(Vec<String>),
    /// The cameras that took photos.
    Cameras {
        /// Whether they are scanners.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        are_scanners: bool,
        /// Whether a single one took all of them.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        took_all: bool,
        /// Each with how many photos it took.
        cameras: Vec<Count>,
    },
    /// Names of columns or keys that they have, in words.
    With(String),
    /// The site that pages are of, in words.
    Site(String),
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
