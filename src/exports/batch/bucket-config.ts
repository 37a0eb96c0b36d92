import { invalidInput, required } from '../../platform/errors/problem.js';
import { readChoice, requireFields } from '../../platform/fields/values.js';
import { hostOf, isSurelyPrivate } from '../../platform/http/addresses.js';

/** The words for formats of files that clients of the reference use. */
export const fileFormats = ['Parquet', 'JSONLines'] as const;

export type FileFormat = (typeof fileFormats)[number];

/** A bucket, its key, and the form of the files in it. */
export interface BucketConfig {
  readonly bucket_name: string;
  readonly prefix: string;
  readonly region: string;
  /** Null: Amazon S3. */
  readonly endpoint_url: string | null;
  readonly aws_access_key_id: string;
  readonly aws_secret_access_key: string;
  readonly file_format: FileFormat;
}

const most = 500;
const text = { type: 'string', minLength: 1, maxLength: most };

export const destinationSchema = {
  type: 'object',
  required: ['type', 'config'],
  additionalProperties: false,
  properties: {
    type: { type: 'string', enum: ['S3'] },
    config: {
      type: 'object',
      required: ['bucket_name', 'aws_access_key_id'],
      additionalProperties: false,
      properties: {
        bucket_name: text,
        prefix: { type: 'string', maxLength: most },
        region: text,
        endpoint_url: { type: 'string', nullable: true, maxLength: most },
        aws_access_key_id: text,
        aws_secret_access_key: { type: 'string', nullable: true, maxLength: most },
        file_format: { type: 'string', enum: [...fileFormats] },
      },
    },
  },
};

export const exampleDestination = {
  type: 'S3',
  config: {
    bucket_name: 'warehouse',
    prefix: 'kohort',
    region: 'eu-central-1',
    endpoint_url: null,
    aws_access_key_id: 'AKIAIOSFODNN7EXAMPLE',
    aws_secret_access_key: null,
    file_format: 'Parquet',
  },
};

const at = 'destination.config';
const keys = [
  ...['bucket_name', 'prefix', 'region', 'endpoint_url', 'aws_access_key_id', 'aws_secret_access_key'],
  'file_format',
];

const readText = (value: unknown, name: string, fallback?: string): string => {
  if (value === undefined || value === null || value === '') {
    if (fallback === undefined) throw required(`${at}.${name}`);
    return fallback;
  }
  if (typeof value === 'string' && value.length <= most && /^[\x21-\x7e]+$/.test(value)) return value;
  throw invalidInput(`${at}.${name} must be a text of at most ${most} visible ASCII characters`, `${at}.${name}`);
};

const readEndpoint = (value: unknown, allowPrivate: boolean): string | null => {
  if (value === undefined || value === null || value === '') return null;
  const name = `${at}.endpoint_url`;
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw invalidInput(`${name} must be an address such as https://minio.example.com, without a user or a query`, name);
  if (!allowPrivate && isSurelyPrivate(hostOf(url)))
    throw invalidInput(
      `${name} must have a public address: private ones are refused unless the service runs with WEBHOOK_ALLOW_PRIVATE=1`,
      name,
    );
  return url.href.replace(/\/$/, '');
};

/** The fields that say whom the secret is shown to. */
const server = ['bucket_name', 'region', 'endpoint_url', 'aws_access_key_id'] as const;

/** Reads the destination of a body. Its secret may be left out where it is known: no user can have it sent to another server. */
export const readBucket = (value: unknown, before: BucketConfig | null, allowPrivate: boolean): BucketConfig => {
  if (value === undefined || value === null) throw required('destination');
  const { type, config } = requireFields(value, 'destination', ['type', 'config']);
  if (type === undefined || type === null) throw required('destination.type');
  readChoice(type, 'destination.type', ['S3']);
  if (config === undefined || config === null) throw required(at);
  const sent = requireFields(config, at, keys);
  const read = {
    bucket_name: readText(sent.bucket_name, 'bucket_name'),
    prefix: readText(sent.prefix, 'prefix', '/').split('/').filter(Boolean).join('/'),
    region: readText(sent.region, 'region', 'us-east-1'),
    endpoint_url: readEndpoint(sent.endpoint_url, allowPrivate),
    aws_access_key_id: readText(sent.aws_access_key_id, 'aws_access_key_id'),
    file_format: readChoice(sent.file_format ?? 'Parquet', `${at}.file_format`, fileFormats),
  };
  if (!/^[a-z0-9-]+$/.test(read.region))
    throw invalidInput(`${at}.region must be the name of a region such as eu-central-1`, `${at}.region`);
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(read.bucket_name))
    throw invalidInput(
      `${at}.bucket_name must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens`,
      `${at}.bucket_name`,
    );
  const isKnown = before !== null && server.every((name) => before[name] === read[name]);
  const secret = readText(
    sent.aws_secret_access_key,
    'aws_secret_access_key',
    isKnown ? before.aws_secret_access_key : undefined,
  );
  return { ...read, aws_secret_access_key: secret };
};

export const addressOfBucket = ({ bucket_name, prefix }: Pick<BucketConfig, 'bucket_name' | 'prefix'>): string =>
  `s3://${bucket_name}${prefix === '' ? '' : `/${prefix}`}`;

/** As answers and the log have it. */
export const shownDestination = (config: BucketConfig) => ({
  type: 'S3' as const,
  config: { ...config, aws_secret_access_key: null },
});
