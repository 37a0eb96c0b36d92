import { Injectable } from '@nestjs/common';
import { Permits } from '../../platform/work/permits.js';
import { throttled } from '../../platform/errors/problem.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { hashOf, isPasswordOf } from './password-hash.js';

/** Makes and checks hashes of passwords, a few at a time, so that a flood of sign-ins takes neither memory nor threads. */
@Injectable()
export class Passwords {
  /** Each run takes 128 MiB and a thread of the pool that files are read with too. */
  private readonly permits = new Permits({ all: 2 }, { mostWaiting: 32, refusal: () => throttled(5) });

  constructor(private readonly metrics: Metrics) {}

  hash(password: string): Promise<string> {
    return this.run(() => hashOf(password));
  }

  /** `hash` is null for an unknown account, and for one without a password: neither matches, after the same work. */
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
