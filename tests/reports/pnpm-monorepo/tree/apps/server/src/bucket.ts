/** Keeps the original files of dive computers in an S3 bucket. */
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

const s3 = new S3Client({ endpoint: process.env.S3_ENDPOINT ?? 'http://127.0.0.1:9000', region: 'local' });

export async function store(bytes: Uint8Array): Promise<string> {
  const key = crypto.randomUUID();
  await s3.send(new PutObjectCommand({ Bucket: 'uploads', Key: key, Body: bytes }));
  return key;
}
