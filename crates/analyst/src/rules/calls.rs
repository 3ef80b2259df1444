//! Calls that hand power to whoever controls their input. In each pattern the first group is where the call begins.

use luminos_core::flag::Severity;

use super::check::{Check, Place};
use super::table::{DESERIALISE, DOWNLOAD_RUN, EVAL, SHELL, SQL, TLS_OFF, WIDE_MODE};
use super::tongue::Tongue;
use crate::eyes::FileText;

const PYTHON: Place = Place::Code(&[Tongue::Python]);
const SCRIPT: Place = Place::Code(&[Tongue::JavaScript]);
const GO: Place = Place::Code(&[Tongue::Go]);
const RUST: Place = Place::Code(&[Tongue::Rust]);
const C: Place = Place::Code(&[Tongue::C]);
const JAVA: Place = Place::Code(&[Tongue::Java]);
const CSHARP: Place = Place::Code(&[Tongue::CSharp]);
const PHP: Place = Place::Code(&[Tongue::Php]);
const RUBY: Place = Place::Code(&[Tongue::Ruby]);
const SHELLS: Place = Place::Code(&[Tongue::Shell, Tongue::Docker]);

const AS_CODE: &str = "Runs text as code: whoever controls the text controls the program";
const AS_COMMAND: &str = "Builds a command line for a shell: input that reaches it can run other commands";
const UNSAFE_DATA: &str = "Deserialises data in a way that can run code: it must not come from somebody else";
const NO_CHECK: &str = "Turns off the check of TLS certificates";
const SQL_PIECES: &str = "Puts SQL together from pieces: input that reaches it can change the statement";
const RUNS_DOWNLOAD: &str = "Downloads something and runs it at once";

/// What makes a piece of SQL harmless: somebody thought of it.
const QUOTED: &[&str] =
    &["quote", "escape", "sanitize", "sanitise", "identifier", "Identifier", "placeholder", "sql.raw"];

pub(super) const CHECKS: &[Check] = &[
    // Text as code.
    Check {
        hints: &["eval(", "exec("],
        pattern: r#"(?:^|[^\w.])((?:eval|exec)\(\s*[^"'\s)])"#,
        unless: &["def eval", "def exec", "literal_eval", "eval(repr("],
        ..Check::new(&EVAL, PYTHON, AS_CODE)
    },
    Check {
        hints: &["eval(", "new Function("],
        pattern: r#"(?:^|[^\w.$])(eval\(\s*[^"'`\s)]|new Function\(\s*[^)\s"'`])"#,
        unless: &["function eval", "eval(): "],
        ..Check::new(&EVAL, SCRIPT, AS_CODE)
    },
    Check {
        hints: &["eval"],
        pattern: r#"(?:^|[^\w.:$>@])(eval\s*\(?\s*\$)"#,
        ..Check::new(&EVAL, PHP, AS_CODE)
    },
    Check {
        hints: &["eval("],
        pattern: r#"(?:^|[^\w.:@])((?:Kernel\.)?eval\(\s*[^"'\s)])"#,
        unless: &["def eval"],
        ..Check::new(&EVAL, RUBY, AS_CODE)
    },
    Check {
        hints: &["loadstring("],
        pattern: r#"(?:^|[^\w.:])(loadstring\(\s*[^"'\[\s)])"#,
        severity: Some(Severity::Info),
        ..Check::new(&EVAL, Place::Code(&[Tongue::Lua]), AS_CODE)
    },
    Check {
        hints: &["eval "],
        pattern: r#"(?:^|[;&|(]|\b(?:then|do|else)\s)\s*(eval\s+"?\$\{?[A-Za-z_1-9@*])"#,
        severity: Some(Severity::Info),
        ..Check::new(&EVAL, SHELLS, AS_CODE)
    },
    // Command lines.
    Check {
        hints: &["shell=True"],
        pattern: r"(shell\s*=\s*True\b)",
        ..Check::new(
            &SHELL,
            PYTHON,
            "Runs commands through a shell: input that reaches the line can run other commands",
        )
    },
    Check {
        hints: &["os.system(", "os.popen("],
        pattern: r#"\b(os\.(?:system|popen)\(\s*(?:[fF]["']|[^"'\s)]|["'][^"']*["']\s*[%+.]))"#,
        ..Check::new(&SHELL, PYTHON, AS_COMMAND)
    },
    Check {
        hints: &["exec(", "execSync("],
        pattern: r#"(?:^|[^\w$])((?:child_process\.|cp\.)?exec(?:Sync)?\(\s*(?:`[^`]*\$\{|["'][^"']*["']\s*\+|\w+\s*\+))"#,
        needs: "child_process",
        ..Check::new(&SHELL, SCRIPT, AS_COMMAND)
    },
    Check {
        hints: &["system", "popen", "exec"],
        pattern: r#"(?:^|[^\w.:])((?:Kernel\.|IO\.|Open3\.)?(?:system|exec|popen\d?|capture\d)\(?\s*"[^"]*#\{)"#,
        unless: &["shellescape", "Shellwords", "def ", "pid}", "#{$$}"],
        ..Check::new(&SHELL, RUBY, AS_COMMAND)
    },
    Check {
        hints: &["exec(", "system(", "passthru(", "popen(", "proc_open("],
        pattern: r#"(?:^|[^\w>:$])((?:shell_exec|passthru|system|exec|popen|proc_open)\s*\([^)]*\$)"#,
        unless: &["escapeshell", "function ", "curl_exec"],
        ..Check::new(&SHELL, PHP, AS_COMMAND)
    },
    Check {
        hints: &["exec.Command"],
        pattern: r#"(exec\.Command(?:Context)?\((?:\w+,\s*)?"(?:/bin/)?(?:ba)?sh",\s*"-l?c",\s*[^"`\s])"#,
        ..Check::new(&SHELL, GO, AS_COMMAND)
    },
    Check {
        hints: &["getRuntime().exec("],
        pattern: r#"(getRuntime\(\)\.exec\([^)]*\+)"#,
        ..Check::new(&SHELL, JAVA, AS_COMMAND)
    },
    Check {
        hints: &["system(", "popen("],
        pattern: r#"(?:^|[^\w.>:"]|std::)((?:system|popen)\(\s*[a-zA-Z_&*(])"#,
        unless: &["int system(", "FILE *popen(", "FILE* popen(", "#define"],
        ..Check::new(&SHELL, C, AS_COMMAND)
    },
    Check {
        hints: &["\"-c\""],
        pattern: r#"(\.args?\(.*"-c".*&?format!\()"#,
        ..Check::new(&SHELL, RUST, AS_COMMAND)
    },
    Check {
        hints: &["Process.Start(", "ProcessStartInfo("],
        pattern: r#"((?:Process\.Start|ProcessStartInfo)\(\s*"(?:cmd|cmd\.exe|/bin/sh|sh|bash|powershell)",\s*(?:\$"|"[^"]*"\s*\+|\w+\s*\+))"#,
        ..Check::new(&SHELL, CSHARP, AS_COMMAND)
    },
    // Data that runs code.
    Check {
        hints: &["pickle.load", "marshal.load", "dill.load"],
        pattern: r"(?:^|[^\w.])((?:c?pickle|marshal|dill|cloudpickle)\.loads?\()",
        unless: &["loads(pickle.dumps(", "loads(marshal.dumps("],
        ..Check::new(&DESERIALISE, PYTHON, UNSAFE_DATA)
    },
    Check {
        hints: &["yaml.load(", "yaml.unsafe_load", "yaml.full_load"],
        pattern: r"\b(yaml\.(?:load|unsafe_load|full_load)(?:_all)?\()",
        unless: &["SafeLoader", "Loader=", "BaseLoader"],
        ..Check::new(&DESERIALISE, PYTHON, UNSAFE_DATA)
    },
    Check {
        hints: &["Marshal.load(", "unsafe_load"],
        pattern: r"\b(Marshal\.load\(|(?:YAML|Psych)\.unsafe_load(?:_file)?\()",
        unless: &["Marshal.load(Marshal.dump("],
        ..Check::new(&DESERIALISE, RUBY, UNSAFE_DATA)
    },
    Check {
        hints: &["unserialize("],
        pattern: r"(?:^|[^\w>:])(unserialize\(\s*[$\w])",
        unless: &["allowed_classes", "function ", "unserialize(serialize("],
        ..Check::new(&DESERIALISE, PHP, UNSAFE_DATA)
    },
    Check {
        hints: &["ObjectInputStream("],
        pattern: r"(new ObjectInputStream\()",
        ..Check::new(&DESERIALISE, JAVA, UNSAFE_DATA)
    },
    Check {
        hints: &["BinaryFormatter(", "TypeNameHandling."],
        pattern: r"(new BinaryFormatter\(|TypeNameHandling\s*[=:]\s*TypeNameHandling\.(?:All|Auto|Objects|Arrays)\b)",
        ..Check::new(&DESERIALISE, CSHARP, UNSAFE_DATA)
    },
    // Certificates.
    Check {
        hints: &["verify=False", "_create_unverified_context", "CERT_NONE"],
        pattern: r"(\bverify\s*=\s*False\b|ssl\._create_unverified_context|verify_mode\s*=\s*(?:ssl\.)?CERT_NONE|cert_reqs\s*=\s*(?:ssl\.)?CERT_NONE)",
        ..Check::new(&TLS_OFF, PYTHON, NO_CHECK)
    },
    Check {
        hints: &["InsecureSkipVerify"],
        pattern: r"(InsecureSkipVerify(?::\s*|\s*=\s*)true)",
        ..Check::new(&TLS_OFF, GO, NO_CHECK)
    },
    Check {
        hints: &["rejectUnauthorized", "NODE_TLS_REJECT_UNAUTHORIZED"],
        pattern: r#"(rejectUnauthorized\s*:\s*false|NODE_TLS_REJECT_UNAUTHORIZED['"\]]*\s*=\s*['"]?0)"#,
        ..Check::new(&TLS_OFF, SCRIPT, NO_CHECK)
    },
    Check {
        hints: &["VERIFY_NONE"],
        pattern: r"(verify_mode\s*(?:=|:|=>)\s*(?:OpenSSL::SSL::)?VERIFY_NONE|=>?\s*OpenSSL::SSL::VERIFY_NONE)",
        ..Check::new(&TLS_OFF, RUBY, NO_CHECK)
    },
    Check {
        hints: &["SSL_VERIFYPEER", "verify_peer"],
        pattern: r#"(CURLOPT_SSL_VERIFYPEER\s*(?:,|=>)\s*(?:false|0)\b|['"]verify_peer['"]\s*=>\s*false)"#,
        ..Check::new(&TLS_OFF, PHP, NO_CHECK)
    },
    Check {
        hints: &["SSL_VERIFYPEER"],
        pattern: r"(CURLOPT_SSL_VERIFYPEER\s*,\s*(?:0L?|false|FALSE)\b)",
        ..Check::new(&TLS_OFF, C, NO_CHECK)
    },
    Check {
        hints: &["danger_accept_invalid_certs", "SslVerifyMode::NONE"],
        pattern: r"(danger_accept_invalid_certs\(\s*true|SslVerifyMode::NONE)",
        ..Check::new(&TLS_OFF, RUST, NO_CHECK)
    },
    Check {
        hints: &["ALLOW_ALL_HOSTNAME", "NoopHostnameVerifier"],
        pattern: r"(ALLOW_ALL_HOSTNAME_VERIFIER|NoopHostnameVerifier\.INSTANCE|new NoopHostnameVerifier)",
        ..Check::new(&TLS_OFF, JAVA, NO_CHECK)
    },
    Check {
        hints: &[
            "ServerCertificateCustomValidationCallback",
            "ServerCertificateValidationCallback",
            "DangerousAcceptAny",
        ],
        pattern: r"(ServerCertificate(?:Custom)?ValidationCallback\s*\+?=.*=>\s*true|DangerousAcceptAnyServerCertificateValidator)",
        ..Check::new(&TLS_OFF, CSHARP, NO_CHECK)
    },
    Check {
        hints: &["curl ", "wget ", "sslVerify"],
        pattern: r"(\bcurl\s(?:[^|;#]*\s)?(?:-[a-zA-Z]*k[a-zA-Z]*|--insecure)\s|\bwget\s[^|;#]*--no-check-certificate|http\.sslVerify[= ]false)",
        ..Check::new(&TLS_OFF, SHELLS, NO_CHECK)
    },
    // SQL.
    Check {
        hints: &["execute", "raw("],
        pattern: r#"((?:execute(?:many|script)?|\.raw|read_sql\w*)\(\s*(?:[fF]["']{1,3}\s*(?i:select|insert|update|delete)\b[^"']*(?i:\bwhere\b|\bvalues\b|\bset\b)[^"']*\{|["']\s*(?i:select|insert|update|delete)\b[^"']*(?i:\bwhere\b|\bvalues\b|\bset\b)[^"']*["']\s*(?:%\s*[\w(]|\+\s*\w|\.format\()))"#,
        unless: QUOTED,
        ..Check::new(&SQL, PYTHON, SQL_PIECES)
    },
    Check {
        hints: &["query(", "execute(", "raw(", "exec("],
        pattern: r#"((?:query|execute|\$queryRawUnsafe|raw|exec)\(\s*(?:`\s*(?i:select|insert into|update|delete from)\b[^`]*(?i:\bwhere\b|\bvalues\b|\bset\b)[^`]*\$\{|["']\s*(?i:select|insert into|update|delete from)\b[^"']*(?i:\bwhere\b|\bvalues\b|\bset\b)[^"']*["']\s*\+))"#,
        unless: QUOTED,
        ..Check::new(&SQL, SCRIPT, SQL_PIECES)
    },
    Check {
        hints: &["select", "insert", "update", "delete"],
        pattern: r#"((?:query|prepare|exec|execute|mysqli_query|select|statement|raw)\w*\(\s*(?:\$\w+,\s*)?"\s*(?i:select\s.*\swhere|insert into.*values|update\s.*\sset|delete from.*where)\b(?:[^"]*(?:\$\w|\{\$)|[^"]*"\s*\.\s*\$))"#,
        unless: QUOTED,
        ..Check::new(&SQL, PHP, SQL_PIECES)
    },
    Check {
        hints: &["execute", "find_by_sql", "select_all", "where("],
        pattern: r##"((?:execute|exec_query|find_by_sql|select_all|select_values|where)\(?\s*"[^"]*(?i:(?:select|insert into|update|delete from)\b[^"]*(?:\bwhere\b|\bvalues\b|\bset\b)|=\s*')[^"]*#\{)"##,
        unless: QUOTED,
        ..Check::new(&SQL, RUBY, SQL_PIECES)
    },
    Check {
        hints: &["Query", "Exec("],
        pattern: r#"(\.(?:Query|QueryRow|Exec)(?:Context)?\((?:\w+,\s*)?(?:fmt\.Sprintf\(\s*["`]\s*(?i:select|insert|update|delete)\b[^"`]*(?i:\bwhere\b|\bvalues\b|\bset\b)[^"`]*%[sv]|"\s*(?i:select|insert|update|delete)\b[^"]*(?i:\bwhere\b|\bvalues\b|\bset\b)[^"]*"\s*\+))"#,
        unless: QUOTED,
        ..Check::new(&SQL, GO, SQL_PIECES)
    },
    Check {
        hints: &["executeQuery(", "executeUpdate(", "execute(", "createQuery(", "createNativeQuery("],
        pattern: r#"((?:executeQuery|executeUpdate|execute|createQuery|createNativeQuery)\(\s*"\s*(?i:select|insert|update|delete)\b[^"]*(?i:\bwhere\b|\bvalues\b|\bset\b)[^"]*"\s*\+\s*\w)"#,
        unless: QUOTED,
        ..Check::new(&SQL, JAVA, SQL_PIECES)
    },
    Check {
        hints: &["CommandText", "SqlCommand(", "ExecuteSqlRaw(", "FromSqlRaw("],
        pattern: r#"((?:CommandText\s*=|SqlCommand\(|ExecuteSqlRaw\(|FromSqlRaw\()\s*(?:\$"\s*(?i:select|insert|update|delete)\b[^"]*(?i:\bwhere\b|\bvalues\b|\bset\b)[^"]*\{|"\s*(?i:select|insert|update|delete)\b[^"]*(?i:\bwhere\b|\bvalues\b|\bset\b)[^"]*"\s*\+))"#,
        unless: QUOTED,
        ..Check::new(&SQL, CSHARP, SQL_PIECES)
    },
    // Downloads, rights.
    Check {
        hints: &["curl", "wget"],
        pattern: r"(\b(?:curl|wget)\s[^|;#]*\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:/bin/|/usr/bin/env\s+)?(?:ba|z|da)?sh\b)",
        ..Check::new(&DOWNLOAD_RUN, SHELLS, RUNS_DOWNLOAD)
    },
    Check {
        hints: &["<(curl", "$(curl", "<(wget", "$(wget"],
        pattern: r#"(\b(?:source|\.|ba?sh|eval)\s+(?:-c\s+)?"?(?:<|\$)\((?:curl|wget)\s)"#,
        ..Check::new(&DOWNLOAD_RUN, SHELLS, RUNS_DOWNLOAD)
    },
    Check {
        hints: &["chmod"],
        pattern: r"(\bchmod\s+(?:-R\s+)?0?777\b)",
        ..Check::new(&WIDE_MODE, SHELLS, "Makes files writable for everybody")
    },
];

/// Whether a call with `shell=True` runs a line that stands there as it is: then nothing can reach it.
pub(super) fn is_fixed_line(file: &FileText, line: usize) -> bool {
    let opens = |text: &str| {
        let call = ["subprocess.", "Popen(", "run(", "call(", "check_output("]
            .iter()
            .any(|word| text.contains(word));
        call.then(|| text.rsplit_once('(').map(|(_, rest)| rest.trim().to_owned())).flatten()
    };
    let first = (line.saturating_sub(10).max(1)..=line)
        .rev()
        .find_map(|number| Some((number, opens(file.line(number))?)));
    let Some((number, rest)) = first else { return false };
    let argument = if rest.is_empty() { file.line(number + 1).trim().to_owned() } else { rest };
    let Some(quote) = argument.chars().next().filter(|first| matches!(first, '"' | '\'')) else {
        return false;
    };
    let after = argument[1..].split_once(quote).map(|(_, after)| after.trim_start());
    after.is_some_and(|after| after.is_empty() || after.starts_with([',', ')']))
}
