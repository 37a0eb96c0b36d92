import { createHash, createHmac, hkdfSync, type Hash, type Hmac } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

const derived = (key: Buffer, salt: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, `kohort backup: ${purpose}`, 32));

const noSalt = Buffer.alloc(0);

/** Derives a key for each use of the key of a backup. Without a key, digests protect from damage only. */
export class BackupKey {
  private readonly sealing: Buffer | null;
  private readonly naming: Buffer | null;

  constructor(private readonly key: Buffer | null) {
    this.sealing = key && derived(key, noSalt, 'seal');
    this.naming = key && derived(key, noSalt, 'content');
  }

  get isThere(): boolean {
    return this.key !== null;
  }

  /** A digest of the key in the manifest. It tells a wrong key from a damaged file. */
  get check(): string | null {
    return this.key && derived(this.key, noSalt, 'check').toString('hex').slice(0, 32);
  }

  /** The seal of a manifest: only who has the key can write a manifest that is accepted. */
  seal(text: string): string {
    return hashWith(this.sealing).update(text).digest('hex');
  }

  /** The digest of the rows of a part, with the key: a plain digest would tell others whether a backup contains known rows. */
  async contentOf(rows: Buffer): Promise<string> {
    const hash = hashWith(this.naming);
    for (let at = 0; at < rows.length; at += hashedAtOnce) {
      hash.update(rows.subarray(at, at + hashedAtOnce));
      await yieldToEventLoop();
    }
    return hash.digest('hex');
  }

  /** Each file has a key of its own, so that no nonce is ever used twice. */
  ofFile(salt: Buffer): Buffer {
    if (!this.key) throw new Error('There is no key');
    return derived(this.key, salt, 'file');
  }
}

/** The bytes that are hashed at a time. Between two pieces, the service answers requests. */
const hashedAtOnce = 1024 ** 2;

const hashWith = (key: Buffer | null): Hash | Hmac => (key ? createHmac('sha256', key) : createHash('sha256'));
