import { createHash } from 'node:crypto';
import { nameUuid } from '../../platform/values/ids.js';

const namespace = Buffer.from('9d1f3b6a52c84e07a1b86f0c4d7e2a35', 'hex');

/**
 * Returns a function that names events without a uuid. A repeated import must give the same line the same uuid: an import may
 * fail after a commit, which frees its `Idempotency-Key`. The text of the line is part of the name, because a freed key may be
 * used for other lines.
 */
export const uuidOfLines = (keyName: string | null): ((line: Buffer, number: number) => string) | undefined => {
  if (keyName === null) return undefined;
  return (line, number) =>
    nameUuid(namespace, `${keyName}\n${number}\n${createHash('sha256').update(line).digest('hex')}`);
};
