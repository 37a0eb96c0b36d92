import { randomBytes } from 'node:crypto';

export const base62Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns text of unbiased random base-62 characters. */
export const randomBase62 = (length: number): string => {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte. With bytes from 248, the first characters would be more likely.
      if (byte < 248 && text.length < length) text += base62Alphabet[byte % 62];
    }
  }
  return text;
};
