import { Injectable } from '@nestjs/common';
import { throttled } from '../../common/errors/problem.js';
import { Metrics } from '../../common/metrics/metrics.js';
import { hashOf, isPasswordOf } from './password-hash.js';

/** Each run takes 128 MiB and a thread of the pool that files are read with too. */
const maxRuns = 2;
const maxWaiting = 32;
const retryAfterSeconds = 5;

/** Makes and checks hashes of passwords, a few at a time, so that a flood of sign-ins takes neither memory nor threads. */
@Injectable()
export class Passwords {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly metrics: Metrics) {}

  hash(password: string): Promise<string> {
    return this.inTurn(() => hashOf(password));
  }

  /** `hash` is null for an unknown account, and for one without a password: neither matches, after the same work. */
  matches(hash: string | null, password: string): Promise<boolean> {
    return this.inTurn(() => isPasswordOf(hash, password));
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= maxRuns) await this.place();
    else this.running += 1;
    try {
      this.metrics.passwordHashes.inc();
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }

  /** Resolves when a run that ends hands its place on. */
  private place(): Promise<void> {
    if (this.waiting.length >= maxWaiting) throw throttled(retryAfterSeconds);
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
