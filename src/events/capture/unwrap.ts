import { type CaptureFailure, tooLarge, unparsable } from './failure.js';
import { gunzip, isGzip } from './gunzip.js';
import { MAX_BATCH_BYTES } from './limits.js';

type Unwrapped = { ok: true; json: Buffer } | CaptureFailure;

/** The deepest honest wrapping is form → base64 → gzip, and a proxy may gzip once more. */
const MAX_LAYERS = 5;

/**
 * Takes off gzip, form and base64 layers until JSON shows. The bytes decide: SDKs label gzip as text/plain and proxies
 * unpack bodies without correcting the headers.
 */
export const unwrap = async (body: Buffer): Promise<Unwrapped> => {
  let bytes = body;
  for (let layer = 0; layer <= MAX_LAYERS; layer++) {
    if (bytes.length > MAX_BATCH_BYTES) {
      return tooLarge(`a batch may have at most ${MAX_BATCH_BYTES} bytes, send it in smaller batches`);
    }
    bytes = withoutLeadingSpace(bytes);
    if (looksLikeJson(bytes)) return { ok: true, json: bytes };
    const inner = isGzip(bytes) ? await gunzip(bytes, MAX_BATCH_BYTES) : fromText(bytes);
    if (!inner.ok) return inner;
    bytes = inner.bytes;
  }
  return unparsable('the body is packed too many times');
};

const fromText = (bytes: Buffer): { ok: true; bytes: Buffer } | CaptureFailure => {
  const start = dataFieldStart(bytes);
  return start === null ? fromBase64(bytes) : fromForm(bytes, start);
};

/** Found by search, not by parsing the form: a body of a million `&` must not become a million pairs. */
const dataFieldStart = (bytes: Buffer): number | null => {
  if (bytes.subarray(0, 5).toString('latin1') === 'data=') return 5;
  const later = bytes.indexOf('&data=');
  return later < 0 ? null : later + 6;
};

const fromForm = (bytes: Buffer, start: number): { ok: true; bytes: Buffer } | CaptureFailure => {
  const end = bytes.indexOf('&', start);
  const value = bytes.toString('utf8', start, end < 0 ? bytes.length : end).replaceAll('+', ' ');
  try {
    return { ok: true, bytes: Buffer.from(decodeURIComponent(value)) };
  } catch {
    return unparsable('the form field data is not properly URL-encoded', 'data');
  }
};

const BASE64_START = /^[A-Za-z0-9+/_\- \r\n]{2,}(={1,2}[\r\n ]*)?$/;

const fromBase64 = (bytes: Buffer): { ok: true; bytes: Buffer } | CaptureFailure => {
  if (!BASE64_START.test(bytes.toString('latin1', 0, 64))) {
    return unparsable('the body is neither JSON nor gzip, base64 or form data of it');
  }
  // Where base64 went through a URL or a form unescaped, its + arrive as spaces.
  const text = bytes.toString('latin1').trimEnd().replaceAll(' ', '+');
  const decoded = Buffer.from(text, 'base64');
  if (!isGzip(decoded) && !looksLikeJson(withoutLeadingSpace(decoded))) {
    return unparsable('the base64 data holds neither JSON nor gzip');
  }
  return { ok: true, bytes: decoded };
};

const looksLikeJson = (bytes: Buffer): boolean => bytes[0] === 0x7b || bytes[0] === 0x5b;

const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const withoutLeadingSpace = (bytes: Buffer): Buffer => {
  let start = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  while (SPACE.has(bytes[start] ?? -1)) start++;
  return start === 0 ? bytes : bytes.subarray(start);
};
