import { AwsClient } from 'aws4fetch';
import { setTimeout as sleep } from 'node:timers/promises';
import { type S3Config } from '../config/s3.js';
import { sha256Of, StorageFault } from './object-store.js';

interface BucketRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The largest allowed object. Reading stops soon after this limit, or after 64 KiB, so that the caller sees that it is too
   * long.
   */
  readonly maxBytes?: number;
}

export interface BucketAnswer {
  readonly status: number;
  /** The reason of a refusal, such as `NoSuchKey`; empty when there is none. */
  readonly code: string;
  readonly etag: string | null;
  readonly bytes: Buffer;
}

const timeoutMs = 120_000;
/** Enough attempts for a server that restarts: the pauses between them are 15 s together. */
const attempts = 6;
const firstPauseMs = 500;

export interface Sending {
  readonly fetchSigned: (request: Request) => Promise<Response>;
  /** How often a request is sent to a server that does not answer or is busy. */
  readonly attempts: number;
}

/** Sends signed requests to one bucket, and repeats them if the server does not answer or is busy. */
export class BucketRequests {
  private readonly client: AwsClient;
  private readonly base: string;

  constructor(
    readonly bucket: string,
    { keyId, secret, sessionToken, region, endpoint }: S3Config,
    private readonly sending: Sending = { fetchSigned: fetch, attempts },
  ) {
    const session = sessionToken === null ? {} : { sessionToken };
    this.client = new AwsClient({
      accessKeyId: keyId,
      secretAccessKey: secret,
      ...session,
      region,
      service: 's3',
      retries: 0,
    });
    // A bucket with dots is named in the path, because no certificate matches it as part of the host.
    const isInPath = endpoint !== null || bucket.includes('.');
    const server = endpoint?.href.replace(/\/$/, '') ?? `https://s3.${region}.amazonaws.com`;
    this.base = isInPath ? `${server}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`;
  }

  /** Throws a StorageFault if repetitions do not help, as with a wrong key or a bucket that does not exist. */
  async send(request: BucketRequest): Promise<BucketAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.once(request).catch((error: unknown) => reasonOf(error));
      const isTransient = typeof answer === 'string' || isBusy(answer.status);
      if (isTransient && attempt < this.sending.attempts) {
        await sleep(firstPauseMs * 2 ** (attempt - 1));
        continue;
      }
      if (typeof answer === 'string')
        throw new StorageFault(`${this.base} does not answer (${answer}): check AWS_ENDPOINT_URL and AWS_REGION`);
      this.assertPermitted(answer);
      return answer;
    }
  }

  private async once({ method, key, query, body, headers, maxBytes = 0 }: BucketRequest): Promise<BucketAnswer> {
    const url = new URL(`${this.base}/${key.split('/').map(encodeURIComponent).join('/')}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    // With the digest in the signature, the server refuses bytes that have changed on their way.
    const sha256 = sha256Of(body ?? Buffer.alloc(0));
    const request = await this.client.sign(url, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
      ...(body ? { body } : {}),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = await this.sending.fetchSigned(request);
    const bytes = await firstBytesOf(answer, Math.max(maxBytes, answerBytes) + 1);
    // S3 answers a copy with 200 before it is done: a later failure is only an `<Error>` in the body.
    const named = bytes.subarray(0, 200).includes('<Error>') ? elementOf(bytes, 'Code') : null;
    const code = named !== null && /^\w{1,100}$/.test(named) ? named : null;
    return {
      status: code !== null && answer.ok ? 500 : answer.status,
      code: code ?? '',
      etag: answer.headers.get('etag'),
      bytes,
    };
  }

  private assertPermitted({ status, code }: BucketAnswer): void {
    if (status < 300 || code === 'NoSuchKey' || status === 412 || status === 501) return;
    const what = code === '' ? `status ${status}` : code;
    throw new StorageFault(`the bucket ${this.bucket} refuses (${what}): ${adviceOn(code)}`);
  }
}

/** The least number of bytes that are read of an answer: enough for short lists and reasons of refusals. */
const answerBytes = 64 * 1024;

const firstBytesOf = async ({ body }: Response, maxBytes: number): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
};

/** True if a repetition may succeed. 501 is final: the server does not support headers such as If-None-Match. */
const isBusy = (status: number): boolean => (status >= 500 && status !== 501) || status === 429;

const adviceOn = (code: string): string => {
  if (code === 'NoSuchBucket') return 'make it, or name another one';
  if (/^(?:SignatureDoesNotMatch|InvalidAccessKeyId|InvalidToken|ExpiredToken)$/.test(code))
    return 'check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN';
  if (/^(?:AuthorizationHeaderMalformed|PermanentRedirect|IllegalLocationConstraintException)$/.test(code))
    return 'check AWS_REGION';
  if (code === 'AccessDenied')
    return 'the key must be allowed to list the bucket, and to read, write and delete its objects';
  return 'check AWS_ENDPOINT_URL and AWS_REGION';
};

/** The texts of the elements with this name. */
export const elementsOf = (xml: Buffer, name: string): string[] =>
  [...xml.toString().matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    text.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  );

export const elementOf = (xml: Buffer, name: string): string | null => elementsOf(xml, name)[0] ?? null;

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
};
