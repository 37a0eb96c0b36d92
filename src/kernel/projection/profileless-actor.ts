import { createHash } from 'node:crypto';

/**
 * The actor of a distinct id that belongs to no person: always the same one, and negative, unlike the id of any person.
 * Returned as text, because it does not fit a JavaScript number.
 */
export const profilelessActor = (projectId: number, distinctId: string): string => {
  const digest = createHash('sha256').update(`${projectId}:${distinctId}`).digest();
  return String(-BigInt.asUintN(63, digest.readBigUInt64BE()) - 1n);
};
