import { PlaceFault } from './place-fault.js';

export const isBucketAddress = (name: string): boolean => /^[a-z0-9]+:\/\//i.test(name);

/** Reads `s3://bucket/prefix`. */
export const bucketAddress = (name: string): { readonly bucket: string; readonly prefix: string } => {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?))?\/?$/.exec(name) ?? [];
  if (bucket === undefined || prefix.includes('//'))
    throw new PlaceFault(`${name} is not the address of a bucket: write s3://bucket/prefix`);
  return { bucket, prefix };
};

/** The key of a file behind the prefix. */
export const keyBehind = (prefix: string, file: string): string => (prefix === '' ? file : `${prefix}/${file}`);

export const keysMissing = (name: string): PlaceFault =>
  new PlaceFault(`${name} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_REGION or AWS_ENDPOINT_URL`);
