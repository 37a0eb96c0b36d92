import { type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseClient, type ClickHouseClientConfigOptions } from '@clickhouse/client';
import { type Connection as ChdbConnection } from 'chdb/connection';
import { literal, parameterText } from './literals.js';
import { type Bound } from './values.js';

type Connection = NonNullable<ClickHouseClientConfigOptions['connection']>;
type Params = Parameters<Connection['query']>[0];

const killAgainMs = 100;

/**
 * A connection to the in-process engine that differs from the package's own in three ways. Settings and parameters travel
 * in one SET, because bound parameters would queue behind each other across all connections. Settings of the last
 * statement that this one does not set are cleared. An abort stops the engine instead of forgetting it: a call settles
 * only when the engine is done, so the count of busy connections is right.
 */
export class EmbeddedConnection implements Connection {
  private parameters: readonly string[] = [];

  constructor(
    private readonly chdb: ChdbConnection<Readable>,
    private readonly control: ClickHouseClient | null,
  ) {}

  query(params: Params) {
    return this.untilStopped(params, () => this.chdb.query(this.selfContained(params)));
  }

  command(params: Params) {
    return this.untilStopped(params, () => this.chdb.command(this.selfContained(params)));
  }

  insert(params: Parameters<Connection['insert']>[0]) {
    return this.untilStopped(params, () => this.chdb.insert({ ...this.selfContained(params), values: params.values }));
  }

  exec(params: Parameters<Connection['exec']>[0]) {
    return this.untilStopped(params, () => this.chdb.exec({ ...this.selfContained(params), values: params.values }));
  }

  ping() {
    return this.chdb.ping({ select: true });
  }

  close() {
    return this.chdb.close();
  }

  private selfContained({ query, query_params, query_id, clickhouse_settings }: Params): {
    query: string;
    query_id?: string;
  } {
    const parameters = Object.entries(query_params ?? {}) as [string, Bound][];
    const names = new Set(parameters.map(([name]) => name));
    const stale = this.parameters.filter((name) => !names.has(name));
    this.parameters = [...names];
    const assignments = [
      ...(query_id ? [`log_comment = ${literal(query_id)}`] : []),
      ...Object.entries(clickhouse_settings ?? {}).map(([name, value]) => `${name} = ${settingLiteral(value)}`),
      ...parameters.map(([name, value]) => `param_${name} = ${literal(parameterText(value))}`),
      ...stale.map((name) => `param_${name} = ''`),
    ];
    return { query: assignments.length > 0 ? `SET ${assignments.join(', ')}; ${query}` : query, query_id };
  }

  private async untilStopped<T>({ abort_signal, query_id }: Params, start: () => Promise<T>): Promise<T> {
    let running = true;
    const stop = async () => {
      // The engine may not have begun when the first KILL arrives.
      for (; running && query_id; await sleep(killAgainMs)) await this.kill(query_id);
    };
    const onAbort = () => void stop();
    abort_signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await start();
    } catch (error) {
      // A connection keeps a failed statement in memory until it gets another one.
      await this.ping();
      throw error;
    } finally {
      running = false;
      abort_signal?.removeEventListener('abort', onAbort);
    }
  }

  private async kill(id: string): Promise<void> {
    const query = `KILL QUERY WHERE Settings['log_comment'] = ${literal(id)} ASYNC`;
    // The statement's own max_execution_time stops it when this fails.
    await this.control?.command({ query }).catch(() => undefined);
  }
}

const settingLiteral = (value: unknown): string => (typeof value === 'string' ? literal(value) : String(value));
