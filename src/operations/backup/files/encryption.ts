import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type BackupKey } from './backup-key.js';

/*
 * A file has: magic, salt, then chunks. A chunk has: length of the ciphertext, ciphertext, tag. The nonce of a chunk has its
 * number and says if it is the last one, so that no chunk can be swapped, left out or added.
 */
const magic = Buffer.from('KOHORTB1');
const saltBytes = 32;
const lengthBytes = 4;
const tagBytes = 16;
const chunkBytes = 1024 ** 2;
const cipherName = 'aes-256-gcm';

const nonceOf = (number: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(isLast ? 1 : 0, 0);
  nonce.writeBigUInt64BE(BigInt(number), 4);
  return nonce;
};

export const encrypted = (plain: Buffer, key: BackupKey): Buffer => {
  const salt = randomBytes(saltBytes);
  const fileKey = key.ofFile(salt);
  const pieces: Buffer[] = [magic, salt];
  const chunks = Math.max(1, Math.ceil(plain.length / chunkBytes));
  for (let number = 0; number < chunks; number += 1) {
    const cipher = createCipheriv(cipherName, fileKey, nonceOf(number, number === chunks - 1));
    const ciphertext = cipher.update(plain.subarray(number * chunkBytes, (number + 1) * chunkBytes));
    cipher.final();
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32BE(ciphertext.length);
    pieces.push(length, ciphertext, cipher.getAuthTag());
  }
  return Buffer.concat(pieces);
};

/** Throws when a single bit differs, or when the key is another one. */
export const decrypted = (stored: Buffer, key: BackupKey): Buffer => {
  if (!stored.subarray(0, magic.length).equals(magic)) throw new Error('The file is not encrypted');
  let at = magic.length + saltBytes;
  const fileKey = key.ofFile(stored.subarray(magic.length, at));
  const plain: Buffer[] = [];
  for (let number = 0; ; number += 1) {
    if (at + lengthBytes + tagBytes > stored.length) throw new Error('The file ends too early');
    const end = at + lengthBytes + stored.readUInt32BE(at);
    const isLast = end + tagBytes >= stored.length;
    const decipher = createDecipheriv(cipherName, fileKey, nonceOf(number, isLast));
    decipher.setAuthTag(stored.subarray(end, end + tagBytes));
    plain.push(decipher.update(stored.subarray(at + lengthBytes, end)));
    decipher.final();
    at = end + tagBytes;
    if (isLast) return Buffer.concat(plain);
  }
};
