import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Permits } from '../../platform/work/permits.js';
import { throttled } from '../../platform/errors/problem.js';
import { Metrics } from '../../platform/telemetry/metrics.js';

/** The first choice of OWASP's recommendation for scrypt: 128 MiB and about half a second for each run. */
const cost = { N: 2 ** 17, r: 8, p: 1 } as const;
const maxmem = 2 * 128 * cost.N * cost.r;
const keyBytes = 32;
const saltBytes = 16;

const run = promisify<string, Buffer, number, object, Buffer>(scrypt);

const shape = /^\$scrypt\$ln=17,r=8,p=1\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/;

/** Normalises the password: different keyboards may encode the same characters differently. */
const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  run(password.normalize('NFKC'), salt, keyBytes, { ...cost, maxmem });

export const hashOf = async (password: string): Promise<string> => {
  const salt = randomBytes(saltBytes);
  const key = await derive(password, salt);
  return `$scrypt$ln=17,r=8,p=1$${salt.toString('base64')}$${key.toString('base64')}`;
};

/**
 * Checks a password. Takes as long without a hash as with one, so that the time does not reveal which accounts have a password.
 */
const isPasswordOf = async (hash: string | null, password: string): Promise<boolean> => {
  const [, salt, key] = shape.exec(hash ?? '') ?? [];
  const derived = await derive(password, salt === undefined ? randomBytes(saltBytes) : Buffer.from(salt, 'base64'));
  return key !== undefined && timingSafeEqual(derived, Buffer.from(key, 'base64'));
};

/** Makes and checks hashes of passwords, a few at a time, so that many sign-ins at once do not use up memory and threads. */
@Injectable()
export class Passwords {
  /** Limits the runs, because each takes 128 MiB and one thread of the pool that also reads files. */
  private readonly permits = new Permits({ all: 2 }, { mostWaiting: 32, refusal: () => throttled(5) });

  constructor(private readonly metrics: Metrics) {}

  hash(password: string): Promise<string> {
    return this.run(() => hashOf(password));
  }

  /** Returns false for a null `hash`, which stands for an unknown account or one without a password, after the same work. */
  matches(hash: string | null, password: string): Promise<boolean> {
    return this.run(() => isPasswordOf(hash, password));
  }

  private run<T>(work: () => Promise<T>): Promise<T> {
    return this.permits.during({}, () => {
      this.metrics.passwordHashes.inc();
      return work();
    });
  }
}
