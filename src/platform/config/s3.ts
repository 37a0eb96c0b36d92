import { type Settings } from './settings.js';

/** How requests to a bucket are signed, and where they go. */
export interface S3Config {
  readonly keyId: string;
  readonly secret: string;
  readonly sessionToken: string | null;
  readonly region: string;
  /** Null for Amazon S3. */
  readonly endpoint: URL | null;
}

/** Returns null if no key is set. */
export const s3Of = (env: Settings): S3Config | null => {
  const { AWS_ACCESS_KEY_ID: keyId, AWS_SECRET_ACCESS_KEY: secret } = env;
  if (!keyId || !secret) return null;
  return {
    ...{ keyId, secret, sessionToken: env.AWS_SESSION_TOKEN },
    region: env.AWS_REGION,
    endpoint: env.AWS_ENDPOINT_URL,
  };
};
