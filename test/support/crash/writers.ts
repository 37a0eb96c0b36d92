import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

interface Sent {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  readonly properties: object;
}

/** Of the groups that events name, and that others describe: each description has a number that no other has. */
const companies = 40;

interface Reply {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: unknown[];
}

const eventsPerRequest = 50;
const people = 200;

export const pick = (n: number): number => Math.floor(Math.random() * n);

/**
 * Mostly ordinary events of two groups; now and then one that merges persons, or describes a group, so that the projection has
 * something to get wrong.
 */
const makeEvent = (): Sent => {
  const distinct_id = `user-${pick(people)}`;
  const [uuid, kind] = [randomUUID(), Math.random()];
  if (kind < 0.02)
    return { uuid, event: '$merge_dangerously', distinct_id, properties: { alias: `user-${pick(people)}` } };
  if (kind < 0.1) {
    const described = { $group_type: 'company', $group_key: `company-${pick(companies)}` };
    const properties = { ...described, $group_set: { last: uuid }, $group_set_once: { first: uuid } };
    // It makes no person, so it is one that others make.
    return { uuid, event: '$groupidentify', distinct_id: 'user-0', properties };
  }
  const $groups = { company: `company-${pick(companies)}`, site: `site-${pick(companies)}` };
  return { uuid, event: 'seen', distinct_id, properties: { n: pick(1000), $set: { last: pick(1000) }, $groups } };
};

/** Send events, whatever is killed meanwhile. */
export class Writers {
  readonly acknowledged = new Set<string>();
  refused = 0;
  /** Why requests were refused with 503. */
  readonly refusals = new Set<string>();
  /** All other answers to what was refused. */
  readonly faults = new Set<string>();
  /** How many events named `seen` were sent, whatever the answer. */
  seenSent = 0;
  private readonly acknowledgements: { readonly at: number; readonly seen: number }[] = [];
  private isStopped = false;
  private readonly running: Promise<void>[];

  /** `url` is called for each request. At least `atLeast` events are acknowledged in the end. */
  constructor(
    private readonly url: () => string,
    private readonly token: string,
    private readonly atLeast: number,
    writers = 6,
  ) {
    this.running = Array.from({ length: writers }, () => this.write());
    for (const writer of this.running) writer.catch(() => undefined);
  }

  /** How many events named `seen` were acknowledged by then. */
  seenBy(time: number): number {
    return this.acknowledgements.reduce((sum, { at, seen }) => (at <= time ? sum + seen : sum), 0);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.running);
  }

  /** Sends a request until it is acknowledged, as SDKs do, and sometimes once more for no reason. */
  private async write(): Promise<void> {
    while (!this.isStopped || this.acknowledged.size < this.atLeast) {
      const batch = Array.from({ length: eventsPerRequest }, makeEvent);
      const body = JSON.stringify({ api_key: this.token, batch });
      const seen = batch.filter(({ event }) => event === 'seen').length;
      this.seenSent += seen;
      const again = Math.random() < 0.1 ? 2 : 1;
      for (let done = 0; done < again;) {
        const reply = await this.post(body);
        if (!reply) {
          this.refused += 1;
          await sleep(20);
          continue;
        }
        expect([reply.accepted + reply.duplicates, reply.rejected]).toEqual([batch.length, []]);
        if (done > 0) expect(reply.accepted).toBe(0);
        else this.acknowledgements.push({ at: Date.now(), seen });
        done += 1;
      }
      for (const { uuid } of batch) this.acknowledged.add(uuid);
    }
  }

  private async post(body: string): Promise<Reply | null> {
    try {
      const answer = await fetch(`${this.url()}/batch/`, { method: 'POST', body });
      if (answer.status === 200) return (await answer.json()) as Reply;
      const detail = await answer.text();
      if (answer.status === 503) this.refusals.add((JSON.parse(detail) as { detail: string }).detail);
      else this.faults.add(`${answer.status} ${detail}`);
    } catch (error) {
      this.faults.add(String(error));
    }
    return null;
  }
}
