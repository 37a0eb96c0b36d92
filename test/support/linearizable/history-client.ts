import { setTimeout as sleep } from 'node:timers/promises';
import { type Random } from '../../../src/app/demo/random.js';
import { type Operation } from './linearize.js';

export interface Target {
  /** Several for processes that share their stores; they may be other ones after a kill. */
  readonly urls: () => readonly string[];
  readonly projectId: number;
  readonly token: string;
  readonly key: string;
}

/** Nothing listened, so nothing was sent. */
class NothingSent extends Error {}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** A client that does one thing after the other, and remembers the ids of the records it has seen. */
export abstract class HistoryClient<Input, Result extends string | { readonly id: string }> {
  readonly operations: Operation<Input, Result>[] = [];
  protected readonly ids = new Set<string>();
  private values = 0;

  constructor(
    protected readonly target: Target,
    protected readonly names: readonly string[],
    protected readonly random: Random,
    private readonly place: number,
  ) {}

  abstract doSomething(): Promise<void>;

  /** Each value is written once, so that a read says whose write it has seen. */
  protected value(): number {
    return this.place * 1000 + (this.values += 1);
  }

  protected capture(input: Input, batch: readonly object[]): Promise<void> {
    return this.record(input, async () => {
      const { status } = await this.send('POST', '/batch', { api_key: this.target.token, batch });
      return status === 200 ? ('done' as Result) : undefined;
    });
  }

  protected async record(input: Input, work: () => Promise<Result | undefined>): Promise<void> {
    for (;;) {
      const began = performance.now();
      try {
        const result = await work();
        this.operations.push({ input, began, ended: result === undefined ? Infinity : performance.now(), result });
        if (typeof result === 'object') this.ids.add(result.id);
        return;
      } catch (error) {
        if (!(error instanceof NothingSent)) throw error;
        await sleep(20);
      }
    }
  }

  protected ask(method: string, path: string, body?: object): Promise<Reply> {
    return this.send(method, `/api/projects/${this.target.projectId}/${path}`, body);
  }

  /** Status 0: the connection ended without an answer. */
  private async send(method: string, path: string, body?: object): Promise<Reply> {
    try {
      const answer = await fetch(this.random.pick(this.target.urls()) + path, {
        method,
        headers: { Authorization: `Bearer ${this.target.key}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: answer.status === 204 ? null : await answer.json() };
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } };
      if (cause?.code === 'ECONNREFUSED') throw new NothingSent();
      return { status: 0, body: null };
    }
  }
}

export interface HistorySize {
  readonly clients: number;
  readonly operations: number;
  /** How many distinct ids, or groups, the clients share. */
  readonly names: number;
}

type Client<Input, Result extends string | { readonly id: string }> = new (
  ...parameters: ConstructorParameters<typeof HistoryClient<Input, Result>>
) => HistoryClient<Input, Result>;

/** What clients that know the same few names did at the same time, with what they were answered. */
export const recordHistory = async <Input, Result extends string | { readonly id: string }>(
  client: Client<Input, Result>,
  target: Target,
  name: string,
  random: Random,
  { clients, operations, names }: HistorySize,
): Promise<readonly Operation<Input, Result>[]> => {
  const known = Array.from({ length: names }, (_, at) => `${name} ${'abcdefgh'[at]}`);
  const all = Array.from({ length: clients }, (_, at) => new client(target, known, random, at + 1));
  await Promise.all(
    all.map(async (one) => {
      for (let count = 0; count < operations; count += 1) await one.doSomething();
    }),
  );
  return all.flatMap((one) => one.operations);
};
