//! The table of secrets that are known by their form: tokens of services, keys with a mark of their own.
//!
//! A row says what a secret is called in a redaction, what it is called in a flag, the words it is found by, and its
//! shape from such a word on. The first group of a shape is the secret, or the whole shape where it has none. Adding a
//! kind is adding a row; a test holds that every shape compiles and finds its own word.

use super::{Class, Kind};

/// A row of the table.
pub(super) struct Row {
    pub(super) kind: Kind,
    /// Words that every such secret contains, in the case in which they are written.
    pub(super) hints: &'static [&'static str],
    /// The shape, from the beginning of the word on, or from what leads to it.
    pub(super) shape: &'static str,
    /// What may stand before the word and belongs to the secret.
    pub(super) lead: Option<fn(u8) -> bool>,
    /// Whether a letter, a digit or `_` may stand directly before it.
    pub(super) is_anywhere: bool,
    /// Whether the word may be written in whatever case.
    pub(super) ignores_case: bool,
    /// So many visible characters stand behind the word at least, before a blank, a quote or a bracket.
    pub(super) least: usize,
}

const fn row(
    name: &'static str,
    words: &'static str,
    hints: &'static [&'static str],
    shape: &'static str,
) -> Row {
    let kind = Kind { name, words, class: Class::Token };
    Row { kind, hints, shape, lead: None, is_anywhere: false, ignores_case: false, least: 8 }
}

/// A row of something that is found and masked, and is no proof of a leak.
const fn quiet(
    name: &'static str,
    words: &'static str,
    hints: &'static [&'static str],
    shape: &'static str,
) -> Row {
    let kind = Kind { name, words, class: Class::Masked };
    Row { kind, hints, shape, lead: None, is_anywhere: true, ignores_case: true, least: 0 }
}

const fn key(
    name: &'static str,
    words: &'static str,
    hints: &'static [&'static str],
    shape: &'static str,
) -> Row {
    let kind = Kind { name, words, class: Class::PrivateKey };
    Row { kind, hints, shape, lead: None, is_anywhere: true, ignores_case: false, least: 8 }
}

const fn led(lead: fn(u8) -> bool, row: Row) -> Row {
    Row { lead: Some(lead), least: 0, ..row }
}

const fn anywhere(row: Row) -> Row {
    Row { is_anywhere: true, ..row }
}

const fn web(row: Row) -> Row {
    Row { kind: Kind { class: Class::WebKey, ..row.kind }, ..row }
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

fn is_hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}

fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

/// How the number of a Discord bot begins, in base64: two digits and what follows.
const DISCORD: &[&str] = &[
    "MTA", "MTE", "MTI", "MTM", "MTQ", "MTU", "NDA", "NDE", "NDI", "NDM", "NDQ", "NDU", "NDY", "NDc", "NDg",
    "NDk", "NTA", "NTE", "NTI", "NTM", "NTQ", "NTU", "NTY", "NTc", "NTg", "NTk", "NjA", "NjE", "NjI", "NjM",
    "NjQ", "NjU", "NjY", "Njc", "Njg", "Njk", "NzA", "NzE", "NzI", "NzM", "NzQ", "NzU", "NzY", "Nzc", "Nzg",
    "Nzk", "ODA", "ODE", "ODI", "ODM", "ODQ", "ODU", "ODY", "ODc", "ODg", "ODk", "OTA", "OTE", "OTI", "OTM",
    "OTQ", "OTU", "OTY", "OTc", "OTg", "OTk",
];

/// Headers of keys in base64, as they begin when the line `BEGIN` is not there: PKCS#1, PKCS#8, SEC1, OpenSSH.
pub(super) const BARE_KEYS: &[&str] = &[
    "IBAAKC",
    "ADANBgkqhkiG9w0BAQEFAASC",
    "MHcCAQEEI",
    "MIGkAgEBBD",
    "MIHcAgEBBE",
    "AgEAMBMGByqGSM49",
    "AgEAMBAGByqGSM49",
    "MC4CAQAwBQYDK2VwBCIE",
    "b3BlbnNzaC1rZXktdjE",
];

pub(super) const ROWS: &[Row] = &[
    // Keys of their own form.
    key(
        "age-key",
        "a private key of age",
        &["AGE-SECRET-KEY-1", "AGE-SECRET-KEY-PQ-1"],
        r"AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Za-z]{20,2000}",
    ),
    quiet(
        "private-key",
        "a private key in JSON",
        &["\"d\""],
        r#""d"\s{0,4}:\s{0,4}"([A-Za-z0-9_-]{42,1000})""#,
    ),
    // Clouds.
    row(
        "aws-key",
        "an AWS access key id",
        &["AKIA", "ASIA", "AROA", "AIDA"],
        r"(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b",
    ),
    row(
        "aws-session-token",
        "a session token of AWS",
        &["FwoGZXIvYXdz", "IQoJb3JpZ2lu", "FQoGZXIvYXdz"],
        r"(?:FwoGZXIvYXdz|IQoJb3JpZ2lu|FQoGZXIvYXdz)[A-Za-z0-9+/=]{40,2000}",
    ),
    anywhere(row(
        "aws-bedrock-key",
        "a key of Amazon Bedrock",
        &["ABSKQmVkcm9ja0FQSUtleS"],
        r"ABSKQmVkcm9ja0FQSUtleS[A-Za-z0-9+/=]{40,300}",
    )),
    anywhere(row(
        "azure-account-key",
        "an Azure storage key",
        &["AccountKey=", "SharedAccessKey="],
        r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,86}={0,2})",
    )),
    quiet("azure-sas", "a signature of Azure", &["sig="], r"sig=([A-Za-z0-9%+/]{40,120}(?:%3[Dd]|=)?)"),
    anywhere(row(
        "azure-client-secret",
        "a client secret of Azure",
        &["8Q~", "7Q~"],
        r"[78]Q~([A-Za-z0-9_~.-]{31,34})",
    )),
    web(row("google-key", "a Google API key", &["AIza"], r"AIza[A-Za-z0-9_-]{35}")),
    row("google-client-secret", "a Google client secret", &["GOCSPX-"], r"GOCSPX-[A-Za-z0-9_-]{20,40}"),
    row("google-refresh-token", "a refresh token of Google", &["1//0"], r"1//0[A-Za-z0-9_-]{30,200}"),
    row("google-access-token", "an access token of Google", &["ya29."], r"ya29\.[A-Za-z0-9_-]{20,1000}"),
    row(
        "digitalocean-token",
        "a token of DigitalOcean",
        &["dop_v1_", "doo_v1_", "dor_v1_"],
        r"do[opr]_v1_[a-f0-9]{64}",
    ),
    row("heroku-key", "a key of Heroku", &["HRKU-"], r"HRKU-[A-Za-z0-9_-]{36,64}"),
    row("alibaba-key", "a key id of Alibaba Cloud", &["LTAI"], r"LTAI[A-Za-z0-9]{17,26}\b"),
    row("tencent-key", "a key id of Tencent Cloud", &["AKID"], r"AKID[A-Za-z0-9]{32}\b"),
    row(
        "yandex-key",
        "a key of Yandex Cloud",
        &["AQVN", "y0_"],
        r"(?:AQVN[A-Za-z0-9_-]{35,38}|y0_[A-Za-z0-9_-]{50,80})",
    ),
    row(
        "fly-token",
        "a token of Fly.io",
        &["FlyV1 fm", "fm1r_", "fm2_"],
        r"(?:FlyV1 )?fm[12]r?_[A-Za-z0-9+/=_,-]{40,800}",
    ),
    row("cloudflare-key", "a key of Cloudflare", &["v1.0-"], r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    row(
        "planetscale-token",
        "a token of PlanetScale",
        &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
        r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}",
    ),
    row(
        "supabase-key",
        "a key of Supabase",
        &["sbp_", "sb_secret_"],
        r"(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,60})",
    ),
    row("databricks-token", "a token of Databricks", &["dapi"], r"dapi[0-9a-f]{32}(?:-\d)?\b"),
    row("scaleway-key", "a key id of Scaleway", &["SCW"], r"SCW[A-Z0-9]{17}\b"),
    // Code and packages.
    row(
        "github-token",
        "a GitHub token",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
        r"(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})",
    ),
    row(
        "gitlab-token",
        "a GitLab token",
        &[
            "glpat-",
            "gldt-",
            "glrt-",
            "glptt-",
            "glcbt-",
            "gloas-",
            "glsoat-",
            "glft-",
            "glimt-",
            "glagent-",
            "GR1348941",
        ],
        r"(?:gl(?:pat|dt|rt|ptt|cbt|oas|soat|ft|imt|agent)-|GR1348941)[A-Za-z0-9_.-]{20,300}",
    ),
    row(
        "bitbucket-token",
        "a token of Bitbucket",
        &["ATBB", "BBDC-"],
        r"(?:ATBB[A-Za-z0-9]{32}|BBDC-[A-Za-z0-9+/@_-]{40,60})",
    ),
    row(
        "atlassian-token",
        "a token of Atlassian",
        &["ATATT3", "ATCTT3"],
        r"AT[AC]TT3[A-Za-z0-9_=.-]{20,400}",
    ),
    row("npm-token", "an npm token", &["npm_"], r"npm_[A-Za-z0-9]{36}\b"),
    row("pypi-token", "a PyPI token", &["pypi-AgE"], r"pypi-AgE[A-Za-z0-9_-]{40,300}"),
    row("rubygems-token", "a token of RubyGems", &["rubygems_"], r"rubygems_[a-f0-9]{48}"),
    row("crates-token", "a token of crates.io", &["cio"], r"cio[A-Za-z0-9]{32}\b"),
    row("nuget-key", "a key of NuGet", &["oy2"], r"oy2[a-z0-9]{43}\b"),
    row(
        "docker-token",
        "a token of Docker",
        &["dckr_pat_", "dckr_oat_"],
        r"dckr_[po]at_[A-Za-z0-9_-]{24,60}",
    ),
    row(
        "artifactory-token",
        "a token of Artifactory",
        &["AKCp", "cmVmdGtuO"],
        r"(?:AKCp[A-Za-z0-9]{50,80}|cmVmdGtuO[A-Za-z0-9]{50,80})",
    ),
    row(
        "circleci-token",
        "a token of CircleCI",
        &["CCIPAT_", "CCIPRJ_"],
        r"CCIP(?:AT|RJ)_[A-Za-z0-9]{20,24}_[a-f0-9]{40}",
    ),
    row("buildkite-token", "a token of Buildkite", &["bkua_", "bkct_"], r"bk(?:ua|ct)_[A-Za-z0-9_-]{40,80}"),
    row("clojars-token", "a token of Clojars", &["CLOJARS_"], r"CLOJARS_[a-z0-9]{60}"),
    row("sonar-token", "a token of SonarQube", &["sqp_", "squ_", "sqa_"], r"sq[pua]_[a-f0-9]{40}"),
    row("codecov-token", "a token of Snyk", &["snyk_"], r"snyk_[a-z]{2,8}_[A-Za-z0-9._-]{30,200}"),
    row("postman-key", "a key of Postman", &["PMAK-"], r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    row(
        "jetbrains-token",
        "a token of JetBrains",
        &["perm:"],
        r"perm:[A-Za-z0-9=_-]{4,80}\.[A-Za-z0-9=_-]{4,80}\.[A-Za-z0-9]{30,60}",
    ),
    led(
        is_alphanumeric,
        row(
            "terraform-token",
            "a token of Terraform Cloud",
            &[".atlasv1."],
            r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}",
        ),
    ),
    row("pulumi-token", "a token of Pulumi", &["pul-"], r"pul-[a-f0-9]{40}"),
    row("vault-token", "a token of Vault", &["hvs.", "hvb.", "hvr."], r"hv[sbr]\.[A-Za-z0-9_-]{24,300}"),
    row(
        "doppler-token",
        "a token of Doppler",
        &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}",
    ),
    row("infracost-key", "a key of Infracost", &["ico-"], r"ico-[A-Za-z0-9]{32}"),
    row("prefect-key", "a key of Prefect", &["pnu_"], r"pnu_[A-Za-z0-9]{36}"),
    row(
        "tailscale-key",
        "a key of Tailscale",
        &["tskey-"],
        r"tskey-[a-z]{3,10}-[A-Za-z0-9]{8,40}(?:-[A-Za-z0-9]{20,60})?",
    ),
    row("onepassword-token", "a token of 1Password", &["ops_eyJ"], r"ops_eyJ[A-Za-z0-9+/=_-]{100,1200}"),
    // Messages and mail.
    row(
        "slack-token",
        "a Slack token",
        &["xox", "xapp-", "xoxe."],
        r"(?:xox[abeoprs]-[A-Za-z0-9-]{10,200}|xoxe\.xox[bp]-[A-Za-z0-9-]{20,250}|xapp-\d-[A-Za-z0-9-]{20,200})",
    ),
    anywhere(row(
        "slack-webhook",
        "a Slack webhook",
        &["hooks.slack.com"],
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{30,100})",
    )),
    anywhere(row(
        "discord-webhook",
        "a Discord webhook",
        &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        r"discord(?:app)?\.com/api/webhooks/\d{15,20}/([A-Za-z0-9_-]{60,80})",
    )),
    anywhere(row(
        "teams-webhook",
        "a webhook of Teams",
        &["webhook.office.com/"],
        r"webhook\.office\.com/webhookb2/([A-Za-z0-9@-]{40,100}/IncomingWebhook/[A-Za-z0-9]{32}/[A-Za-z0-9-]{36})",
    )),
    row(
        "discord-token",
        "a token of a Discord bot",
        DISCORD,
        r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}",
    ),
    led(
        is_digit,
        row("telegram-token", "a token of a Telegram bot", &[":AA"], r"\d{8,10}:AA[A-Za-z0-9_-]{32,34}"),
    ),
    row("twilio-key", "a key of Twilio", &["SK"], r"SK[0-9a-f]{32}\b"),
    row("sendgrid-key", "a SendGrid key", &["SG."], r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    row("mailgun-key", "a key of Mailgun", &["key-", "pubkey-"], r"(?:pub)?key-[0-9a-f]{32}\b"),
    led(is_hex, row("mailchimp-key", "a key of Mailchimp", &["-us"], r"[0-9a-f]{32}-us\d{1,2}\b")),
    row(
        "brevo-key",
        "a key of Brevo",
        &["xkeysib-", "xsmtpsib-"],
        r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}",
    ),
    row("resend-key", "a key of Resend", &["re_"], r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),
    row("postmark-sendinblue", "a key of Mandrill", &["md-"], r"md-[A-Za-z0-9_-]{22}\b"),
    // Payment and shops.
    row(
        "stripe-key",
        "a live Stripe key",
        &["sk_live_", "rk_live_", "sk_test_", "rk_test_"],
        r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}",
    ),
    row(
        "stripe-webhook-secret",
        "a secret of a Stripe webhook",
        &["whsec_"],
        r"whsec_[A-Za-z0-9+/=]{24,100}",
    ),
    row(
        "square-token",
        "a token of Square",
        &["sq0atp-", "sq0csp-", "sq0idp-", "EAAA"],
        r"(?:sq0[a-z]{3}-[A-Za-z0-9_-]{22,43}|EAAA[A-Za-z0-9_-]{60}\b)",
    ),
    row(
        "shopify-token",
        "a token of Shopify",
        &["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"],
        r"shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32}",
    ),
    row(
        "paypal-token",
        "a token of Braintree",
        &["access_token$production$"],
        r"access_token\$production\$[a-z0-9]{16}\$[a-f0-9]{32}",
    ),
    row(
        "shippo-token",
        "a token of Shippo",
        &["shippo_live_", "shippo_test_"],
        r"shippo_(?:live|test)_[a-f0-9]{40}",
    ),
    row("easypost-key", "a key of EasyPost", &["EZAK", "EZTK"], r"EZ[AT]K[A-Za-z0-9]{54}"),
    row("flutterwave-key", "a key of Flutterwave", &["FLWSECK"], r"FLWSECK(?:_TEST)?-[a-h0-9]{12,40}-?X?"),
    row(
        "razorpay-key",
        "a key of Razorpay",
        &["rzp_live_", "rzp_test_"],
        r"rzp_(?:live|test)_[A-Za-z0-9]{14,24}",
    ),
    // Models.
    row("anthropic-key", "a key of a model service", &["sk-ant-"], r"sk-ant-[A-Za-z0-9_-]{16,200}"),
    row(
        "api-key",
        "a key of a model service",
        &["sk-"],
        r"sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,250}",
    ),
    row(
        "huggingface-token",
        "a token of Hugging Face",
        &["hf_", "api_org_"],
        r"(?:hf_|api_org_)[A-Za-z0-9]{30,40}\b",
    ),
    row("groq-key", "a key of Groq", &["gsk_"], r"gsk_[A-Za-z0-9]{40,60}"),
    row("replicate-token", "a token of Replicate", &["r8_"], r"r8_[A-Za-z0-9]{37}"),
    row("perplexity-key", "a key of Perplexity", &["pplx-"], r"pplx-[A-Za-z0-9]{40,60}"),
    row("xai-key", "a key of xAI", &["xai-"], r"xai-[A-Za-z0-9]{70,90}"),
    row("langsmith-key", "a key of LangSmith", &["lsv2_"], r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    row("pinecone-key", "a key of Pinecone", &["pcsk_"], r"pcsk_[A-Za-z0-9_]{50,90}"),
    // Watching and data.
    row(
        "newrelic-key",
        "a key of New Relic",
        &["NRAK-", "NRJS-", "NRII-", "NRRA-", "NRAA-"],
        r"NR(?:AK|JS|II|RA|AA)-[A-Za-z0-9_-]{19,64}",
    ),
    row(
        "grafana-token",
        "a token of Grafana",
        &["glsa_", "glc_"],
        r"(?:glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|glc_[A-Za-z0-9+/=]{32,400})",
    ),
    row("sentry-token", "a token of Sentry", &["sntrys_", "sntryu_"], r"sntry[su]_[A-Za-z0-9+/=_-]{40,400}"),
    row(
        "dynatrace-token",
        "a token of Dynatrace",
        &["dt0c01.", "dt0s01.", "dt0s16."],
        r"dt0[cs]\d\d\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}",
    ),
    row(
        "honeycomb-key",
        "a key of Honeycomb",
        &["hcaik_", "hcamk_", "hcxik_"],
        r"hc(?:a|x)(?:i|m)k_[a-z0-9]{58}",
    ),
    row("elastic-key", "a key of Elastic", &["essu_"], r"essu_[A-Za-z0-9+/=]{40,200}"),
    row("posthog-key", "a key of PostHog", &["phx_"], r"phx_[A-Za-z0-9]{40,50}"),
    row("airtable-token", "a token of Airtable", &["pat"], r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    row(
        "launchdarkly-key",
        "a key of LaunchDarkly",
        &["api-", "sdk-"],
        r"(?:api|sdk)-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}",
    ),
    row(
        "mapbox-token",
        "a secret token of Mapbox",
        &["sk.eyJ"],
        r"sk\.eyJ[A-Za-z0-9_-]{50,200}\.[A-Za-z0-9_-]{20,40}",
    ),
    row("adafruit-key", "a key of Adafruit", &["aio_"], r"aio_[A-Za-z0-9]{28}"),
    // Work.
    row(
        "linear-key",
        "a key of Linear",
        &["lin_api_", "lin_oauth_"],
        r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}",
    ),
    row(
        "notion-token",
        "a token of Notion",
        &["secret_", "ntn_"],
        r"(?:secret_[A-Za-z0-9]{43}\b|ntn_[A-Za-z0-9]{40,50})",
    ),
    row("figma-token", "a token of Figma", &["figd_", "figu_"], r"fig[du]_[A-Za-z0-9_-]{40,60}"),
    row(
        "hubspot-token",
        "a token of HubSpot",
        &["pat-na1-", "pat-eu1-"],
        r"pat-(?:na|eu)1-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    ),
    row("contentful-token", "a token of Contentful", &["CFPAT-"], r"CFPAT-[A-Za-z0-9_-]{43}"),
    row("typeform-token", "a token of Typeform", &["tfp_"], r"tfp_[A-Za-z0-9_.-]{40,70}"),
    row("readme-key", "a key of ReadMe", &["rdme_"], r"rdme_[a-z0-9]{70}"),
    row("asana-token", "a token of Frame.io", &["fio-u-"], r"fio-u-[A-Za-z0-9_=-]{64}"),
    row("dropbox-token", "a token of Dropbox", &["sl."], r"sl\.(?:u\.)?[A-Za-z0-9_-]{120,1400}"),
    row(
        "facebook-token",
        "a token of Facebook",
        &["EAACEdEose0cBA", "EAAB", "EAAG"],
        r"(?:EAACEdEose0cBA[A-Za-z0-9]{20,200}|EAA[BG][A-Za-z0-9]{80,300})",
    ),
    row(
        "twitter-token",
        "a token of Twitter",
        &["AAAAAAAAAAAAAAAAAAAA"],
        r"AAAAAAAAAAAAAAAAAAAA[A-Za-z0-9%]{40,120}",
    ),
    // What any service may use.
    quiet(
        "jwt",
        "a signed token",
        &["eyJ"],
        r"eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,1000}",
    ),
    quiet(
        "bearer-token",
        "a token of a request",
        &["bearer "],
        r"(?i:bearer) {1,3}([A-Za-z0-9._~+/-]{16,2000}=*)",
    ),
    quiet(
        "password-hash",
        "a hash of a password",
        &[
            "$1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$y$", "$7$", "$apr1$", "$argon2", "$pbkdf2", "$P$",
            "$H$", "$scrypt$", "$gy$",
        ],
        r"\$(?:1|2[aby]|5|6|y|gy|7|apr1|argon2(?:id|i|d)|pbkdf2[a-z0-9-]*|P|H|scrypt)\$[A-Za-z0-9./$=,+-]{16,300}",
    ),
    quiet(
        "password-hash",
        "a hash of a password",
        &["{SHA}", "{SSHA}", "{SHA256}", "{SSHA512}", "pbkdf2_sha256$"],
        r"(?:\{S?SHA(?:256|512)?\}[A-Za-z0-9+/=]{20,200}|pbkdf2_sha256\$\d+\$[A-Za-z0-9./$=+]{20,200})",
    ),
    quiet(
        "command-password",
        "a password in a command line",
        &["sshpass"],
        r#"sshpass\s{1,4}-p\s{0,3}["']?([^\s"'$]{3,200})"#,
    ),
    quiet(
        "command-password",
        "a password in a command line",
        &["mysql", "mariadb"],
        r#"(?:mysql|mariadb)(?:dump|admin|import|show)?\b[^\n|;]{0,200}?\s-p["']?([^\s"'$|;&-][^\s"'|;&]{2,200})"#,
    ),
    quiet(
        "command-password",
        "a password in a command line",
        &["curl"],
        r#"curl\b[^\n]{0,300}?\s(?:-u|--user|--proxy-user|-U)[ =]?["']?[^\s:"'$]{1,100}:([^\s"'$]{3,200})"#,
    ),
    quiet(
        "command-password",
        "a password in a command line",
        &["wget"],
        r#"wget\b[^\n]{0,300}?\s--(?:http-|ftp-)?password[ =]["']?([^\s"'$]{3,200})"#,
    ),
    quiet(
        "command-password",
        "a password in a command line",
        &["docker login"],
        r#"docker login\b[^\n]{0,200}?\s(?:-p|--password)[ =]["']?([^\s"'$]{3,200})"#,
    ),
    quiet(
        "command-password",
        "a password in a command line",
        &["PGPASSWORD=", "MYSQL_PWD=", "SSHPASS=", "REDISCLI_AUTH="],
        r#"(?:PGPASSWORD|MYSQL_PWD|SSHPASS|REDISCLI_AUTH)=["']?([^\s"'$]{3,200})"#,
    ),
    quiet(
        "sql-password",
        "a password in SQL",
        &["identified by", "identified with"],
        r#"(?i:identified (?:with \w{1,40} )?(?:by|as)) (?i:password )?["']([^"'\n]{3,200})["']"#,
    ),
    quiet(
        "oracle-password",
        "a password in a connection string",
        &["jdbc:oracle:thin:"],
        r"jdbc:oracle:thin:[^/\s@]{1,60}/([^@\s]{3,100})@",
    ),
    quiet("wifi-password", "the password of a network", &["psk="], r#"psk="?([^\s"]{8,64})"?"#),
];
