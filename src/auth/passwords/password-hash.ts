import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** The first choice of OWASP's recommendation for scrypt: 128 MiB and about half a second for each run. */
const cost = { N: 2 ** 17, r: 8, p: 1 } as const;
const maxmem = 2 * 128 * cost.N * cost.r;
const keyBytes = 32;
const saltBytes = 16;

const run = promisify<string, Buffer, number, object, Buffer>(scrypt);

const shape = /^\$scrypt\$ln=17,r=8,p=1\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/;

/** Two spellings of the same characters must be the same password, whichever keyboard wrote them. */
const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  run(password.normalize('NFKC'), salt, keyBytes, { ...cost, maxmem });

export const hashOf = async (password: string): Promise<string> => {
  const salt = randomBytes(saltBytes);
  const key = await derive(password, salt);
  return `$scrypt$ln=17,r=8,p=1$${salt.toString('base64')}$${key.toString('base64')}`;
};

/** Takes as long without a hash as with one, so that the time does not reveal which accounts have a password. */
export const isPasswordOf = async (hash: string | null, password: string): Promise<boolean> => {
  const [, salt, key] = shape.exec(hash ?? '') ?? [];
  const derived = await derive(password, salt === undefined ? randomBytes(saltBytes) : Buffer.from(salt, 'base64'));
  return key !== undefined && timingSafeEqual(derived, Buffer.from(key, 'base64'));
};
