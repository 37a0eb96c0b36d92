import { type FuzzRequest } from './draft.js';
import { type Answer, type Outcome } from './send.js';

export interface Failure {
  readonly operation: string;
  readonly cause: string;
  count: number;
  readonly example: Example;
}

export interface Example {
  readonly index: number;
  readonly faults: readonly string[];
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly answer: string;
  /** The log of the service about it. */
  readonly log?: string;
}

const shown = 600;

/** Counts of what was answered, times by operation, and failures by operation and cause. */
export class Tally {
  readonly byStatus: Record<string, number> = {};
  private readonly times = new Map<string, number[]>();
  private readonly failures = new Map<string, Failure>();
  requests = 0;

  /** Returns the failure when its cause is new. */
  add(request: FuzzRequest, outcome: Outcome, ms: number, cause: string | null): Failure | null {
    this.requests++;
    const status = 'error' in outcome ? 'no answer' : String(outcome.answers.at(-1)?.status);
    this.byStatus[status] = (this.byStatus[status] ?? 0) + 1;
    const times = this.times.get(request.operation) ?? [];
    times.push(ms);
    this.times.set(request.operation, times);
    return cause === null ? null : this.fail(request, cause, outcome);
  }

  private fail(request: FuzzRequest, cause: string, outcome: Outcome): Failure | null {
    const { operation } = request;
    const key = `${operation} ${cause}`;
    const known = this.failures.get(key);
    if (known) {
      known.count++;
      return null;
    }
    const failure = { operation, cause, count: 1, example: exampleOf(request, outcome) };
    this.failures.set(key, failure);
    return failure;
  }

  get allFailures(): Failure[] {
    return [...this.failures.values()].sort((a, b) => b.count - a.count);
  }

  timesByOperation(): Record<string, { count: number; min_ms: number; median_ms: number; max_ms: number }> {
    return Object.fromEntries(
      [...this.times].sort().map(([operation, times]) => {
        const sorted = times.sort((a, b) => a - b);
        const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
        return [operation, { count: sorted.length, min_ms: at(0), median_ms: at(0.5), max_ms: at(1) }];
      }),
    );
  }
}

const exampleOf = (request: FuzzRequest, outcome: Outcome): Example => ({
  index: request.index,
  faults: request.faults,
  method: request.method,
  path: request.path.slice(0, shown),
  // Keys of a service that is gone after the run.
  headers: request.headers,
  body: request.body ? request.body.toString('utf8').slice(0, shown) : null,
  answer: 'error' in outcome ? outcome.error : answerText(outcome.answers.at(-1)),
});

const answerText = (answer: Answer | undefined): string =>
  answer
    ? `${answer.status} ${answer.headers['content-type']} ${answer.headers['x-request-id']} ${answer.text.slice(0, shown)}`
    : '';

export interface Cause {
  readonly cause: string;
  readonly count: number;
  readonly operations: number;
}

/** How often each cause was met, whatever the operation. */
export const causesOf = (failures: readonly Failure[]): Cause[] => {
  const causes = [...new Set(failures.map(({ cause }) => cause))];
  return causes.map((cause) => {
    const same = failures.filter((failure) => failure.cause === cause);
    return { cause, count: same.reduce((sum, { count }) => sum + count, 0), operations: same.length };
  });
};

/** With the line that the service wrote about the example. */
export const withLog = (failure: Failure, output: string): Failure => {
  const requestId = failure.example.answer.split(' ')[2] ?? '';
  const log = requestId.length === 36 ? output.split('\n').find((line) => line.includes(requestId)) : undefined;
  return log ? { ...failure, example: { ...failure.example, log: log.slice(0, 2 * shown) } } : failure;
};
