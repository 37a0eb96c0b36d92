import { type Owner } from '../work/fair-pool.js';
import { type OpeningLogger } from './embedded/embedded.js';
import { QueryTooExpensive } from './errors.js';
import { type TakenSoFar } from './look-at-running.js';
import { type Headers } from './http-client.js';
import { lineOf } from './request.js';

/** The purpose of a statement. */
export type StatementWork = 'question' | 'export' | 'calculation' | 'write';

export interface EndedStatement {
  readonly owner: Owner;
  readonly work: StatementWork;
  /** The text with placeholders in place of values. */
  readonly text: () => string;
  readonly waitedMs: number;
  readonly ranMs: number;
  /** The headers of the answer; null without an answer. */
  readonly headers: Headers | null;
  /** The use at the last look; null for a statement that was not looked at. */
  readonly taken: TakenSoFar | null;
  /** Null if the statement was answered. */
  readonly error: unknown;
  readonly isStopped: boolean;
}

/** The use of ClickHouse by statements. */
export interface Cost {
  statements: number;
  cpuMs: number;
  readRows: number;
  readBytes: number;
}

const nothing: Readonly<Cost> = { statements: 0, cpuMs: 0, readRows: 0, readBytes: 0 };

const add = (sum: Cost, { statements, cpuMs, readRows, readBytes }: Readonly<Cost>): void => {
  sum.statements += statements;
  sum.cpuMs += cpuMs;
  sum.readRows += readRows;
  sum.readBytes += readBytes;
};

/** Counts the use of ClickHouse by the statements of each project in this process since its start. */
export class Costs {
  private readonly owners = new Map<Owner, Map<StatementWork, Cost>>();

  /** Statements of projects that take `slowMs`, with their wait, are logged. 0 logs none. */
  constructor(
    private readonly logger: OpeningLogger,
    private readonly slowMs: number,
  ) {}

  /** Owners are in the order of their first statements. */
  get byOwner(): ReadonlyMap<Owner, ReadonlyMap<StatementWork, Cost>> {
    return this.owners;
  }

  /** The sums of each project. */
  ofProjects(): ReadonlyMap<number, Cost> {
    const sums = new Map<number, Cost>();
    for (const [owner, works] of this.owners) {
      if (owner === 'system') continue;
      const sum = { ...nothing };
      for (const cost of works.values()) add(sum, cost);
      sums.set(owner, sum);
    }
    return sums;
  }

  record(ended: EndedStatement): void {
    const { owner, work, waitedMs, ranMs } = ended;
    const took = takenBy(ended);
    add(this.costOf(owner, work), { statements: 1, ...took });
    if (this.slowMs === 0 || owner === 'system' || waitedMs + ranMs < this.slowMs) return;
    this.logger.warn?.(
      {
        project: owner,
        work,
        statement: lineOf(ended.text),
        waited_ms: Math.round(waitedMs),
        ran_ms: Math.round(ranMs),
        cpu_ms: Math.round(took.cpuMs),
        read_rows: took.readRows,
        read_bytes: took.readBytes,
        peak_memory_bytes: took.peakMemoryBytes,
        ended: endOf(ended),
      },
      'a statement of ClickHouse was slow',
    );
  }

  private costOf(owner: Owner, work: StatementWork): Cost {
    const works = this.owners.get(owner) ?? new Map<StatementWork, Cost>();
    const cost = works.get(work) ?? { ...nothing };
    this.owners.set(owner, works.set(work, cost));
    return cost;
  }
}

/**
 * The engine says with an answer what was read and how long it took. The processor time of a long statement comes from the last
 * look at it while it ran; a short one counts as one processor for its time.
 */
const takenBy = ({ headers, taken, ranMs }: EndedStatement) => {
  const summary = summaryIn(headers);
  const elapsedMs = summary ? Number(summary.elapsed_ns) / 1e6 : ranMs;
  const since = taken ? Math.max(1, elapsedMs / taken.elapsedMs) : 1;
  return {
    cpuMs: taken ? taken.cpuMs * since : elapsedMs,
    readRows: summary ? Number(summary.read_rows) : Math.round((taken?.readRows ?? 0) * since),
    readBytes: summary ? Number(summary.read_bytes) : Math.round((taken?.readBytes ?? 0) * since),
    peakMemoryBytes: Number(summary?.memory_usage ?? taken?.peakMemoryBytes ?? 0) || null,
  };
};

type Summary = Readonly<Record<'read_rows' | 'read_bytes' | 'result_rows' | 'elapsed_ns', string>> & {
  readonly memory_usage?: string;
};

export const summaryIn = (headers: Headers | null): Summary | null => {
  const text = headers?.['x-clickhouse-summary'];
  return typeof text === 'string' ? (JSON.parse(text) as Summary) : null;
};

const endOf = ({ error, isStopped }: EndedStatement): string => {
  if (error instanceof QueryTooExpensive) return `limit of ${error.reason}`;
  if (isStopped) return 'stopped';
  return error === null ? 'answered' : 'failed';
};
