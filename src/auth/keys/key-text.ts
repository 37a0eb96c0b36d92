import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62Alphabet, randomBase62 } from '../../platform/values/random-token.js';

const prefix = 'phx_';
const secretLength = 43;
const checksumLength = 6;
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

const checksum = (text: string): string => {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < checksumLength; index += 1) {
    digits = base62Alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
};

export const newKeyText = (): string => {
  const body = prefix + randomBase62(secretLength);
  return body + checksum(body);
};

/** Checks the checksum, which recognises a mistyped key without a look-up. */
export const isKeyText = (text: string): boolean =>
  shape.test(text) && text.slice(-checksumLength) === checksum(text.slice(0, -checksumLength));

/** Hashes once and fast, which is enough for 256 random bits: they cannot be guessed. */
export const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export const maskOf = (text: string): string => `${prefix}…${text.slice(-4)}`;
