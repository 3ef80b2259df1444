//! Secrets of every family, as they stand in files. None is written out: each is put together from a form when a test
//! runs, so that no scanner takes this table for a leak.
//!
//! In a form `⟨36⟩` stands for so many letters and digits, `⟨h32⟩` for digits of base 16, `⟨u16⟩` for capitals and digits,
//! `⟨l40⟩` for small letters and digits, `⟨d9⟩` for digits, `⟨b64⟩` for base64, `⟨=word⟩` for a word as it is, and
//! `⟨@word⟩` for a word in base64. What such a mark stands for is secret.

/// A file with a secret in it.
pub(crate) struct Sample {
    /// What it is.
    pub(crate) name: &'static str,
    /// The name of the file.
    pub(crate) file: &'static str,
    form: &'static str,
}

/// What a form stands for.
pub(crate) struct Filled {
    /// The text of the file.
    pub(crate) text: String,
    /// What in it is secret.
    pub(crate) secrets: Vec<String>,
}

impl Sample {
    /// The file, and what is secret in it.
    pub(crate) fn fill(&self) -> Filled {
        let mut seed = self.name.bytes().chain(self.file.bytes()).fold(0x2545_f491_4f6c_dd1d_u64, |seed, byte| {
            (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let (mut text, mut secrets, mut rest) = (String::new(), Vec::new(), self.form);
        while let Some((before, after)) = rest.split_once('⟨') {
            let (mark, after) = after.split_once('⟩').unwrap();
            let secret = fill(mark, &mut seed);
            text.push_str(before);
            text.push_str(&secret);
            secrets.push(secret);
            rest = after;
        }
        text.push_str(rest);
        text.push('\n');
        Filled { text, secrets }
    }
}

fn fill(mark: &str, seed: &mut u64) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if let Some(word) = mark.strip_prefix('=') {
        return word.to_owned();
    }
    if let Some(word) = mark.strip_prefix('@') {
        return base64(word.as_bytes(), LETTERS);
    }
    let kind = mark.trim_end_matches(|last: char| last.is_ascii_digit());
    let letters: &[u8] = match kind {
        "h" => b"0123456789abcdef",
        "u" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        "l" => b"abcdefghijklmnopqrstuvwxyz0123456789",
        "d" => b"123456789",
        "b" => LETTERS,
        _ => &LETTERS[..62],
    };
    let length: usize = mark[kind.len()..].parse().unwrap();
    let draw = |_| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        letters[usize::try_from(*seed >> 33).unwrap() % letters.len()] as char
    };
    let mut drawn: String = (0..length).map(draw).collect();
    // Every long one has letters of both sizes and digits.
    if kind.is_empty() && 6 <= length {
        drawn.replace_range(1..4, "k7Q");
    }
    drawn
}

fn base64(bytes: &[u8], letters: &[u8]) -> String {
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        out.extend((0..=three.len()).map(|at| letters[(bits >> (18 - 6 * at) & 63) as usize] as char));
        out.extend((three.len()..3).map(|_| '='));
    }
    out
}

const fn sample(name: &'static str, file: &'static str, form: &'static str) -> Sample {
    Sample { name, file, form }
}

/// The table.
pub(crate) const SAMPLES: &[Sample] = &[
    // Private keys.
    sample("PEM, RSA", "keys.txt", concat!("a key:\n-----BEGIN RSA PRIVATE ", "KEY-----\n⟨64⟩\n⟨64⟩\n⟨64⟩\n⟨64⟩\n⟨30⟩==\n-----END RSA PRIVATE KEY-----\nmore")),
    sample("PEM, PKCS8", "deploy.txt", concat!("-----BEGIN PRIVATE ", "KEY-----\n⟨b64⟩\n⟨b64⟩\n⟨b64⟩\n-----END PRIVATE KEY-----")),
    sample("PEM, OpenSSH", "id.txt", concat!("-----BEGIN OPENSSH PRIVATE ", "KEY-----\n⟨70⟩\n⟨70⟩\n⟨22⟩\n-----END OPENSSH PRIVATE KEY-----")),
    sample("PEM, EC", "ec.txt", concat!("-----BEGIN EC PRIVATE ", "KEY-----\n⟨64⟩\n⟨64⟩\n⟨32⟩==\n-----END EC PRIVATE KEY-----")),
    sample("PEM, encrypted", "enc.txt", concat!("-----BEGIN RSA PRIVATE ", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A0B\n\n⟨64⟩\n⟨64⟩\n-----END RSA PRIVATE KEY-----")),
    sample("PEM, PGP", "pgp.txt", concat!("-----BEGIN PGP PRIVATE ", "KEY BLOCK-----\nVersion: GnuPG v2\n\n⟨64⟩\n⟨64⟩\n-----END PGP PRIVATE KEY BLOCK-----")),
    sample("PEM, SSH2", "ssh2.txt", concat!("---- BEGIN SSH2 ENCRYPTED PRIVATE ", "KEY ----\nComment: \"key\"\n⟨70⟩\n⟨70⟩\n---- END SSH2 ENCRYPTED PRIVATE KEY ----")),
    sample("PEM, cut", "cut.txt", concat!("-----BEGIN PRIVATE ", "KEY-----\n⟨64⟩\n⟨64⟩\n⟨64⟩")),
    sample("PEM without its beginning", "tail.txt", concat!("⟨64⟩\n⟨64⟩\n⟨64⟩\n-----END PRIVATE ", "KEY-----")),
    sample("PEM, indented", "values.yaml", concat!("tls:\n  key: |\n    -----BEGIN PRIVATE ", "KEY-----\n    ⟨64⟩\n    ⟨64⟩\n    -----END PRIVATE KEY-----")),
    sample("PEM, string literals", "Key.java", concat!("String key = \"-----BEGIN RSA PRIVATE ", "KEY-----\\n\" +\n    \"⟨64⟩\\n\" +\n    \"⟨64⟩\\n\" +\n    \"⟨20⟩==\\n\" +\n    \"-----END RSA PRIVATE KEY-----\\n\";")),
    sample("PEM, one line", "service.json", concat!("{\"private_key\": \"-----BEGIN PRIVATE ", "KEY-----\\n⟨64⟩\\n⟨64⟩\\n⟨20⟩=\\n-----END PRIVATE KEY-----\\n\"}")),
    sample("PEM, added in a diff", "add.diff", concat!("@@ -0,0 +1,5 @@\n+-----BEGIN RSA PRIVATE ", "KEY-----\n+⟨64⟩\n+⟨64⟩\n+⟨64⟩\n+-----END RSA PRIVATE KEY-----")),
    sample("PEM, removed in a diff", "remove.diff", concat!("@@ -1,5 +0,0 @@\n------BEGIN RSA PRIVATE ", "KEY-----\n-⟨64⟩\n-⟨64⟩\n-⟨64⟩\n------END RSA PRIVATE KEY-----")),
    sample("PEM, in comments", "note.py", concat!("# -----BEGIN RSA PRIVATE ", "KEY-----\n# ⟨64⟩\n# ⟨64⟩\n# -----END RSA PRIVATE KEY-----\nprint(1)")),
    sample("PEM behind numbers of lines", "listing.txt", concat!("  1  -----BEGIN RSA PRIVATE ", "KEY-----\n  2  ⟨64⟩\n  3  ⟨64⟩\n  4  -----END RSA PRIVATE KEY-----")),
    sample("a bare key in base64", "app.conf", "der = MIIEvgIBADANBgkqhkiG9w0BAQEFAASC⟨200⟩"),
    sample("age", "age.txt", "AGE-SECRET-KEY-1⟨u58⟩"),
    sample("PuTTY", "session.txt", "PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nPrivate-Lines: 2\n⟨64⟩\n⟨64⟩\nPrivate-MAC: ⟨h40⟩"),
    sample("WireGuard", "wg0.conf", "[Interface]\nPrivateKey = ⟨43⟩=\nAddress = 10.0.0.1/24"),
    sample("WireGuard, shared", "wg1.conf", "[Peer]\nPresharedKey = ⟨43⟩="),
    sample("JWK", "jwk.json", "{\"kty\":\"EC\",\"d\":\"⟨43⟩\",\"crv\":\"P-256\"}"),
    // Clouds.
    sample("AWS id", "a.txt", "id AKIA⟨u16⟩ is it"),
    sample("AWS secret with a name", "aws.ini", "aws_secret_access_key = ⟨b40⟩"),
    sample("AWS session", "session.ini", "aws_session_token = FwoGZXIvYXdz⟨120⟩"),
    sample("AWS session without a name", "session.log", "took IQoJb3JpZ2lu⟨120⟩ from it"),
    sample("Azure AccountKey", "azure.config", "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=⟨b86⟩==;EndpointSuffix=core.windows.net"),
    sample("Azure SharedAccessKey", "bus.cs", "var c = \"Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccessKey=⟨b43⟩=\";"),
    sample("Azure SAS", "sas.txt", "https://x.blob.core.windows.net/c?sv=2020-08-04&sig=⟨43⟩%3D&se=2030"),
    sample("Azure client secret", "az.txt", "it is abc8Q~⟨34⟩ here"),
    sample("Google API key", "g.js", "const key = 'AIza⟨35⟩';"),
    sample("Google client secret", "client.json", "{\"client_secret\":\"GOCSPX-⟨28⟩\"}"),
    sample("Google refresh", "refresh.json", "{\"refresh\": \"1//0⟨60⟩\"}"),
    sample("Google access", "access.txt", "use ya29.⟨80⟩ now"),
    sample("DigitalOcean", "do.tf", "token = \"dop_v1_⟨h64⟩\""),
    sample("Heroku", "heroku.txt", "HRKU-⟨40⟩"),
    sample("Alibaba", "ali.txt", "LTAI⟨20⟩"),
    sample("Databricks", "databricks.cfg", "token = dapi⟨h32⟩"),
    sample("PlanetScale", "ps.txt", "pscale_tkn_⟨43⟩"),
    sample("Fly", "fly.txt", "FlyV1 fm2_⟨100⟩"),
    sample("Supabase", "sb.txt", "sbp_⟨h40⟩"),
    // Code.
    sample("GitHub", "ci.yml", "run: git clone https://ghp_⟨36⟩@github.com/a/b"),
    sample("GitHub, fine", "gh.txt", "github_pat_⟨60⟩"),
    sample("GITHUB_TOKEN of a shell", "env.sh", "export GITHUB_TOKEN=⟨40⟩"),
    sample("GitLab", "gl.txt", "glpat-⟨20⟩"),
    sample("Bitbucket", "bb.txt", "ATBB⟨32⟩"),
    sample("Atlassian", "jira.txt", "ATATT3⟨150⟩"),
    sample("npm", "n.txt", "npm_⟨36⟩"),
    sample("npmrc", "npmrc", "//registry.example/:_authToken=⟨36⟩"),
    sample("npmrc, login", "npmrc", "_auth=⟨@deploy:r4nd0m-words⟩"),
    sample("PyPI", "p.txt", "pypi-AgEIcHlwaS5vcmc⟨100⟩"),
    sample("RubyGems", "r.txt", "rubygems_⟨h48⟩"),
    sample("crates", "c.txt", "cio⟨32⟩"),
    sample("NuGet", "nuget.txt", "oy2⟨l43⟩"),
    sample("Docker", "d.txt", "dckr_pat_⟨27⟩"),
    sample("Docker, login", "docker.json", "{\"auths\": {\"r\": {\"auth\": \"⟨@bob:s3same-open⟩\"}}}"),
    sample("CircleCI", "cc.txt", "CCIPAT_⟨22⟩_⟨h40⟩"),
    sample("Terraform Cloud", "tfc.txt", "⟨14⟩.atlasv1.⟨67⟩"),
    sample("Pulumi", "pulumi.txt", "pul-⟨h40⟩"),
    sample("Vault", "vault.txt", "hvs.⟨90⟩"),
    sample("Doppler", "doppler.txt", "dp.pt.⟨43⟩"),
    sample("Tailscale", "ts.txt", "tskey-auth-⟨12⟩-⟨32⟩"),
    sample("Postman", "pm.txt", "PMAK-⟨h24⟩-⟨h34⟩"),
    sample("SonarQube", "sonar.txt", "sqp_⟨h40⟩"),
    sample("Artifactory", "art.txt", "AKCp⟨69⟩"),
    sample("Buildkite", "bk.txt", "bkua_⟨40⟩"),
    // Messages.
    sample("Slack", "s.txt", "xoxb-⟨d12⟩-⟨d12⟩-⟨24⟩"),
    sample("Slack, app", "sa.txt", "xapp-1-⟨u10⟩-⟨d13⟩-⟨h64⟩"),
    sample("Slack webhook", "hook.txt", "https://hooks.slack.com/services/T⟨u9⟩/B⟨u9⟩/⟨24⟩"),
    sample("Discord webhook", "dw.txt", "https://discord.com/api/webhooks/123456789012345678/⟨68⟩"),
    sample("Discord bot", "bot.js", "client.login(\"MTA⟨21⟩.⟨6⟩.⟨38⟩\");"),
    sample("Telegram", "tg.txt", "123456789:AA⟨33⟩"),
    sample("Twilio", "tw.txt", "SK⟨h32⟩"),
    sample("Twilio, auth token", "twilio.yml", "twilio:\n  auth_token: ⟨h32⟩"),
    sample("SendGrid", "sg.txt", "SG.⟨22⟩.⟨43⟩"),
    sample("Mailgun", "mg.txt", "key-⟨h32⟩"),
    sample("Mailchimp", "mc.txt", "⟨h32⟩-us14"),
    sample("Brevo", "br.txt", "xkeysib-⟨h64⟩-⟨16⟩"),
    // Payment.
    sample("Stripe", "st.txt", "sk_live_⟨24⟩"),
    sample("Stripe webhook", "wh.txt", "whsec_⟨32⟩"),
    sample("Square", "sq.txt", "sq0atp-⟨22⟩"),
    sample("Shopify", "sh.txt", "shpat_⟨h32⟩"),
    sample("Shippo", "shippo.txt", "shippo_live_⟨h40⟩"),
    sample("Razorpay", "rz.txt", "rzp_live_⟨14⟩"),
    // Models and watching.
    sample("Anthropic", "an.txt", "sk-ant-api03-⟨80⟩"),
    sample("OpenAI", "oa.txt", "sk-proj-⟨48⟩"),
    sample("Hugging Face", "hf.txt", "hf_⟨34⟩"),
    sample("Groq", "groq.txt", "gsk_⟨52⟩"),
    sample("Replicate", "rep.txt", "r8_⟨37⟩"),
    sample("New Relic", "nr.txt", "NRAK-⟨u27⟩"),
    sample("Grafana", "gf.txt", "glsa_⟨32⟩_⟨h8⟩"),
    sample("Sentry", "sentry.txt", "sntrys_⟨90⟩"),
    sample("Dynatrace", "dt.txt", "dt0c01.⟨u24⟩.⟨u64⟩"),
    sample("Linear", "lin.txt", "lin_api_⟨40⟩"),
    sample("Notion", "no.txt", "ntn_⟨46⟩"),
    sample("Figma", "fig.txt", "figd_⟨40⟩"),
    sample("HubSpot", "hub.txt", "pat-na1-⟨h8⟩-⟨h4⟩-⟨h4⟩-⟨h4⟩-⟨h12⟩"),
    sample("Airtable", "at.txt", "pat⟨14⟩.⟨h64⟩"),
    sample("JWT", "jwt.txt", "eyJ⟨33⟩.eyJ⟨60⟩.⟨43⟩"),
    // Requests and command lines.
    sample("Bearer", "request.http", "Authorization: Bearer ⟨40⟩"),
    sample("Basic", "basic.http", "Authorization: Basic ⟨@bob:hunter2-canary⟩"),
    sample("curl -u", "get.sh", "curl -s -u bob:⟨=s3same-op3n⟩ https://h/x"),
    sample("mysql -p", "dump.sh", "mysqldump -u root -p⟨=s3same-op3n⟩ shop > x"),
    sample("sshpass", "ssh.sh", "sshpass -p ⟨=s3same-op3n⟩ ssh host"),
    sample("docker login", "login.sh", "docker login -u bob -p ⟨=s3same-op3n⟩ registry"),
    sample("PGPASSWORD", "pg.sh", "PGPASSWORD=⟨=s3same-op3n⟩ psql -h db"),
    sample("an option of a command", "run.sh", "tool --user bob --password ⟨=s3same-op3n⟩ --force"),
    sample("URL", "url.txt", "postgres://app:⟨=s3same-op3n⟩@db:5432/x"),
    sample("JDBC", "jdbc.properties", "url=jdbc:mysql://db/x?user=root&password=⟨=s3same-op3n⟩"),
    sample("JDBC, Oracle", "oracle.txt", "jdbc:oracle:thin:scott/⟨=s3same-op3n⟩@db:1521:x"),
    sample("a parameter of an address", "link.txt", "https://h/x?id=1&token=⟨24⟩&b=2"),
    // Settings.
    sample("YAML", "db.yaml", "db:\n  user: app\n  password: ⟨=hunter2x⟩\n  port: 1"),
    sample("YAML, a random one", "random.yml", "password: ⟨18⟩"),
    sample("YAML in quotes", "q.yaml", "api_key: \"⟨24⟩\""),
    sample("properties", "app.properties", "spring.datasource.password=⟨=hunter2x⟩"),
    sample("INI", "app.ini", "[db]\nPassword=⟨=hunter2x⟩"),
    sample("TOML", "app.toml", "secret_key = \"⟨32⟩\""),
    sample("XML", "app.xml", "<db><password>⟨=hunter2x⟩</password></db>"),
    sample("XML, attributes", "web.config", "<add key=\"DbPassword\" value=\"⟨=hunter2x⟩\" />"),
    sample("a connection string", "appsettings.json", "{\"Default\": \"Server=db;User Id=sa;Password=⟨=Hunter2!x⟩;Encrypt=true\"}"),
    sample("a connection string in C#", "Startup.cs", "var c = \"Server=db;Uid=sa;Pwd=⟨=Hunter2!x⟩;\";"),
    sample("dotenv", "vars", "DB_PASSWORD=⟨=correct-horse-battery⟩"),
    sample("a shell", "deploy.sh", "export STRIPE_SECRET=⟨=abcdefgh12⟩"),
    sample("a Dockerfile", "Dockerfile", "FROM x\nENV DB_PASSWORD ⟨=hunter2x⟩\nARG TOKEN=⟨20⟩"),
    sample("compose", "docker-compose.yml", "services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD=⟨=hunter2x⟩\n      MYSQL_ROOT_PASSWORD: ⟨=swordfish9⟩"),
    sample("Kubernetes", "pod.yaml", "env:\n  - name: DB_PASSWORD\n    value: ⟨=hunter2x⟩"),
    sample("a Secret of Kubernetes", "secret.yaml", "apiVersion: v1\nkind: Secret\ndata:\n  login: ⟨@canary-in-a-secret⟩\ntype: Opaque"),
    sample("kubeconfig", "kubeconfig.yaml", "users:\n- name: a\n  user:\n    client-key-data: ⟨120⟩"),
    sample("Terraform", "vars.tf", "variable \"db_password\" {\n  type = string\n  default = \"⟨=Hunter2!x⟩\"\n}"),
    sample("Terraform, values", "prod.tfvars", "db_password = \"⟨=Hunter2!x⟩\""),
    sample("Python", "settings.py", "DB_PASSWORD = \"⟨=Tr0ub4dor&3horse⟩\""),
    sample("Django", "django.py", "SECRET_KEY = '⟨50⟩'"),
    sample("a notebook", "n.ipynb", "{\"source\": [\"API_KEY = \\\"⟨28⟩\\\"\\n\"]}"),
    sample("JavaScript", "c.js", "const config = { apiKey: '⟨32⟩' };"),
    sample("Go", "m.go", "password := \"⟨=Hunter2!x⟩\""),
    sample("Ruby", "d.rb", "config.secret_key_base => '⟨h64⟩'"),
    sample("PHP, WordPress", "wp-config.php", "define('AUTH_KEY', '⟨64⟩');\ndefine('DB_PASSWORD', '⟨=hunter2x⟩');"),
    sample("hex with a name", "k.conf", "encryption_key = ⟨h64⟩"),
    sample("netrc", "netrc", "machine h login bob password ⟨=s3same-op3n⟩"),
    sample("pgpass", "pgpass", "db.example:5432:shop:bob:⟨=s3same-op3n⟩"),
    sample("htpasswd", "htpasswd", "bob:$apr1$⟨8⟩$⟨22⟩"),
    sample("shadow", "shadow", "root:$6$⟨16⟩$⟨86⟩:19000:0:99999:7:::"),
    sample("bcrypt", "seed.rb", "hash = '$2b$12$⟨53⟩'"),
    sample("redis", "redis.conf", "requirepass ⟨=s3same-op3n⟩"),
    sample("SQL", "init.sql", "CREATE USER bob IDENTIFIED BY '⟨=s3same-op3n⟩';"),
    sample("SQL, PostgreSQL", "pg.sql", "CREATE ROLE bob WITH LOGIN PASSWORD '⟨=s3same-op3n⟩';"),
    sample("a table", "users.csv", "id,name,password\n1,bob,⟨=s3same-op3n⟩\n2,eve,⟨=plainword⟩"),
    sample("notes", "notes.txt", "Password for bank: ⟨=hunter2x⟩"),
    sample("notes, a sentence", "mail.txt", "The wifi password is ⟨=hunter2x⟩."),
    sample("a log", "app.log", "2026-01-01 12:00:00 INFO login user=bob password=⟨=hunter2x⟩ ok"),
    sample("wifi", "wpa.conf", "network={\n  psk=\"⟨=canary9meadow⟩\"\n}"),
];
