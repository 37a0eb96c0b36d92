import { createHash } from 'node:crypto';

/** A uuid of version 5: the same name in the same namespace always gives the same uuid. */
export const nameUuid = (namespace: Buffer, name: string): string => {
  const hash = createHash('sha1').update(namespace).update(name).digest();
  hash[6] = (hash.readUInt8(6) & 0x0f) | 0x50;
  hash[8] = (hash.readUInt8(8) & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
