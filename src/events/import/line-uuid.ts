import { createHash } from 'node:crypto';
import { nameUuid } from '../../platform/values/ids.js';

const namespace = Buffer.from('9d1f3b6a52c84e07a1b86f0c4d7e2a35', 'hex');

/**
 * An import may break after a commit, and free its `Idempotency-Key`: repeated, the same line must be the same event. The text
 * of the line belongs to the name, because a key that is free may be used for other lines.
 */
export const uuidOfLines = (keyName: string | null): ((line: Buffer, number: number) => string) | undefined => {
  if (keyName === null) return undefined;
  return (line, number) =>
    nameUuid(namespace, `${keyName}\n${number}\n${createHash('sha256').update(line).digest('hex')}`);
};
