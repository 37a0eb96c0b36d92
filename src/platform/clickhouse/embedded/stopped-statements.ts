import { type HttpClient } from '../http-client.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '../../telemetry/logger.js';
import { countEngineEnd } from '../../telemetry/engine-ends.js';
import { type StoppedStatement } from '../engine.js';
import { lineOf } from '../request.js';

const lookAgainMs = 100;
const lookMs = 3_000;
/** A statement that was stopped at its very beginning may not have reached the engine yet. */
const arrivesWithinMs = 500;
/** The time after the limit of a statement within which it ends, if the engine can stop it. */
const patienceMs = 5_000;

interface Ending {
  readonly isUp: boolean;
  readonly server: { readonly end: () => Promise<void> };
}

/**
 * Waits for stopped statements to end. The engine checks limits and KILL only between two blocks of rows, and one function over
 * one row can take hours: such a statement is ended with the process of the engine.
 */
export class StoppedStatements {
  constructor(
    private readonly control: HttpClient,
    private readonly engine: Ending,
    private readonly logger: Partial<Pick<Logger, 'error'>>,
  ) {}

  /** Stops the statement, and returns once it has ended; true when the process of the engine had to end with it. */
  async untilEnded(statement: StoppedStatement): Promise<boolean> {
    const { server } = this.engine;
    for (;;) {
      if (!this.engine.isUp || this.engine.server !== server) return false;
      const ranMs = performance.now() - statement.startedAt;
      if ((await this.isRunning(statement.id)) === false && ranMs > arrivesWithinMs) return false;
      if (ranMs > statement.timeoutMs + patienceMs) return this.endEngine(statement, ranMs);
      await sleep(lookAgainMs);
    }
  }

  /** Asks the engine to kill the statement. Returns false if it does not run any more, and null if the engine does not answer. */
  private async isRunning(id: string): Promise<boolean | null> {
    try {
      const { content } = await this.control.rows({
        query: 'KILL QUERY WHERE query_id = {id:String} ASYNC',
        query_params: { id },
        abort_signal: AbortSignal.timeout(lookMs),
      });
      return content.length > 0;
    } catch {
      return null;
    }
  }

  private async endEngine({ owner, text }: StoppedStatement, ranMs: number): Promise<true> {
    const statement = lineOf(text);
    countEngineEnd({ project: String(owner), statement });
    this.logger.error?.(
      { project: owner, statement, ran_ms: Math.round(ranMs) },
      'a statement could not be stopped: the process of the embedded ClickHouse is ended and starts again',
    );
    await this.engine.server.end();
    return true;
  }
}
