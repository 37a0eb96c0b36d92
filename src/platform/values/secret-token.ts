import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits as text that needs no escaping in a cookie or a URL. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

export const isSecret = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** A single fast hash suffices, because all bits of a secret are random and cannot be guessed. */
export const digestOfSecret = (text: string): Buffer => createHash('sha256').update(text).digest();
