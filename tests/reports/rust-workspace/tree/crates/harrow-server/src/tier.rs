//! Moves cold segments to an S3-compatible bucket.

use aws_sdk_s3::Client;

pub struct Tier {
    client: Client,
    bucket: String,
}

impl Tier {
    pub fn new(client: Client, bucket: String) -> Self {
        Tier { client, bucket }
    }

    pub async fn upload(&self, name: &str, body: Vec<u8>) -> anyhow::Result<()> {
        self.client.put_object().bucket(&self.bucket).key(name).body(body.into()).send().await?;
        Ok(())
    }
}
