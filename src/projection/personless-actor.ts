import { createHash } from 'node:crypto';

/**
 * The actor behind a distinct id that belongs to no person: always the same one, and below zero, where no person's id is.
 * As text, because it does not fit a JavaScript number.
 */
export const personlessActor = (projectId: number, distinctId: string): string => {
  const digest = createHash('sha256').update(`${projectId}:${distinctId}`).digest();
  return String(-BigInt.asUintN(63, digest.readBigUInt64BE()) - 1n);
};
