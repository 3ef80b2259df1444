//! What is around it: services, tests, its history, and what is worrying.

use std::collections::BTreeMap;

use luminos_core::answer::Candidate;
use luminos_core::flag::{Flag, Severity};
use luminos_core::report::worst_first;

use super::cited;
use crate::rules::is_for_tests;
use crate::statement::Statement;
use crate::synthesis::Told;
use crate::synthesis::work::SERVICES;

/// Images of containers, by the service that runs in them.
const IMAGES: &[(&str, &str)] = &[
    ("postgres", "PostgreSQL"),
    ("postgis", "PostgreSQL"),
    ("timescaledb", "PostgreSQL"),
    ("mysql", "MySQL"),
    ("mariadb", "MariaDB"),
    ("redis", "Redis"),
    ("valkey", "Valkey"),
    ("mongo", "MongoDB"),
    ("rabbitmq", "RabbitMQ"),
    ("kafka", "Kafka"),
    ("zookeeper", "ZooKeeper"),
    ("nats", "NATS"),
    ("elasticsearch", "Elasticsearch"),
    ("opensearch", "OpenSearch"),
    ("memcached", "Memcached"),
    ("minio", "MinIO (S3)"),
    ("mailhog", "SMTP (MailHog)"),
    ("mailpit", "SMTP (Mailpit)"),
    ("keycloak", "Keycloak"),
    ("prometheus", "Prometheus"),
    ("grafana", "Grafana"),
    ("jaeger", "Jaeger"),
    ("mosquitto", "MQTT (Mosquitto)"),
    ("clickhouse", "ClickHouse"),
    ("influxdb", "InfluxDB"),
    ("nginx", "nginx"),
    ("traefik", "Traefik"),
    ("vault", "Vault"),
    ("meilisearch", "Meilisearch"),
];

/// Beginnings of variables of the environment, by the service whose address they hold.
const VARIABLES: &[(&str, &str)] = &[
    ("POSTGRES", "PostgreSQL"),
    ("PGHOST", "PostgreSQL"),
    ("REDIS_", "Redis"),
    ("MONGO", "MongoDB"),
    ("MYSQL", "MySQL"),
    ("AMQP_", "RabbitMQ"),
    ("RABBITMQ", "RabbitMQ"),
    ("KAFKA", "Kafka"),
    ("ELASTICSEARCH", "Elasticsearch"),
    ("SMTP_", "SMTP"),
    ("STRIPE_", "Stripe"),
    ("SENTRY_", "Sentry"),
    ("AWS_", "AWS"),
    ("S3_", "S3"),
    ("TWILIO_", "Twilio"),
    ("SENDGRID_", "SendGrid"),
    ("OPENAI_", "OpenAI"),
    ("SLACK_", "Slack"),
    ("MQTT_", "MQTT"),
];

impl Told<'_> {
    /// The services it talks to.
    pub(super) fn what_it_talks_to(&self) -> Vec<Candidate> {
        let mut found = Vec::new();
        for (entry, statement, claim) in &self.statements {
            let dir = entry.relative_path.to_word();
            if self.sides.has(&dir) {
                continue;
            }
            match statement {
                Statement::Needs { path, names } if !is_for_tests(path) => {
                    for (package, service) in SERVICES {
                        if let Some(name) = names.iter().find(|name| name.eq_ignore_ascii_case(package)) {
                            let about = format!("through the package {name}");
                            found.push(cited(service, "a package that speaks to it", 82, path, claim).about(&about));
                        }
                    }
                }
                Statement::Starting { path, names } if !is_for_tests(path) => {
                    for (name, image) in names.iter().filter_map(|name| name.split_once(": ")) {
                        let image = image.rsplit('/').next().unwrap_or(image);
                        let base = image.split([':', '@']).next().unwrap_or(image);
                        let service = IMAGES.iter().find(|(known, _)| base == *known || base.starts_with(&format!("{known}-")));
                        if let Some((_, service)) = service {
                            let about = format!("started as {name} from {image}");
                            found.push(cited(service, "a container that is started beside it", 86, path, claim).about(&about));
                        }
                    }
                }
                Statement::Takes { path, names } => {
                    for (mark, service) in VARIABLES {
                        if let Some(name) = names.iter().find(|name| name.starts_with(mark)) {
                            let about = format!("its variable {name}");
                            found.push(cited(service, "a variable of the environment", 62, path, claim).about(&about));
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// How it is tested.
    pub(super) fn what_is_tested(&self) -> Vec<Candidate> {
        let told = self.trials().filter(|_| self.is_software());
        told.into_iter().map(|words| Candidate::new(&words, "tests that were counted", 80)).collect()
    }

    /// How old it is, and how alive.
    pub(super) fn how_alive(&self) -> Vec<Candidate> {
        let told = self.of_root().find_map(|(_, statement, claim)| {
            let Statement::History { path, words } = statement else { return None };
            Some(cited(words, "the history of the repository", 90, path, claim))
        });
        told.into_iter().collect()
    }

    /// What is worrying: the worst flags, one of each rule.
    pub(super) fn what_worries(&self) -> Vec<Candidate> {
        let mut by_rule: BTreeMap<String, Flag> = BTreeMap::new();
        let mut order = Vec::new();
        for flag in worst_first(self.material.flags.to_vec()) {
            if flag.severity == Severity::Info || flag.is_unproved() {
                continue;
            }
            let rule = flag.rule.clone().unwrap_or_else(|| flag.finding.clone());
            if !by_rule.contains_key(&rule) {
                order.push(rule.clone());
                by_rule.insert(rule, flag);
            }
        }
        let flags = order.iter().filter_map(|rule| by_rule.get(rule));
        let candidates = flags.enumerate().map(|(number, flag)| {
            let score = if flag.severity == Severity::Critical { 95 } else { 80 };
            let score = score - u8::try_from(number.min(20)).unwrap_or(0);
            let line = flag.evidence.first().map_or(0, |evidence| evidence.start_line);
            Candidate::new(&flag.finding, &format!("a flag, {}", flag.severity.word()), score).at(flag.path.clone(), line)
        });
        candidates.collect()
    }
}
