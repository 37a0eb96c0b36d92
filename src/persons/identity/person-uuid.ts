import { createHash } from 'node:crypto';

/** Never change this constant: the uuids of all persons derive from it. */
const namespace = Buffer.from('5d0c1f3e8a7b4c629e45b1d27f0a9c86', 'hex');

/** A version 5 uuid of project and distinct id: an id that returns after its person was deleted gets the same person uuid. */
export const personUuid = (projectId: number, distinctId: string): string => {
  const hash = createHash('sha1').update(namespace).update(`${projectId}:${distinctId}`).digest();
  hash[6] = (hash.readUInt8(6) & 0x0f) | 0x50;
  hash[8] = (hash.readUInt8(8) & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
