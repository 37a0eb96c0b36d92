import { setTimeout as sleep } from 'node:timers/promises';
import { type BootstrapFile } from '../process.js';
import { type Writers } from './writers.js';

/** The clock of PostgreSQL, by which answers say how old they are, is known to a process within this time. */
const clockErrorMs = 100;
const pauseMs = 20;

interface Answer {
  readonly as_of: string;
  readonly insight: { readonly series: readonly { readonly count: number }[] };
}

/** Asks all the time how many events there are. An answer must have all that was acknowledged by its `as_of`, and none that was never sent. */
export class Checker {
  readonly wrong: string[] = [];
  readonly refusals = new Set<string>();
  answers = 0;
  private isStopped = false;
  private readonly running: Promise<void>;

  /** `url` is called for each question. */
  constructor(
    private readonly url: () => string,
    private readonly made: BootstrapFile,
    private readonly writers: Writers,
  ) {
    this.running = this.check();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  /** Waits for an answer that has everything which is acknowledged now. */
  async untilFresh(withinMs: number): Promise<void> {
    const acknowledged = this.writers.seenBy(Date.now());
    for (const end = performance.now() + withinMs; ; await sleep(pauseMs)) {
      const count = await this.ask();
      if (count !== null && count >= acknowledged) return;
      if (performance.now() > end)
        throw new Error(
          `${acknowledged} events were acknowledged, and ${count} are counted: ${[...this.refusals].join('; ')}`,
        );
    }
  }

  private async check(): Promise<void> {
    for (; !this.isStopped; await sleep(pauseMs)) await this.ask();
  }

  /** Returns the answer; null when there is none. */
  private async ask(): Promise<number | null> {
    const { project_id: id, personal_api_key: key } = this.made;
    const [date_from = '', date_to = ''] = [-2, 2].map((days) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
    );
    const events = JSON.stringify([{ id: 'seen' }]);
    const query = new URLSearchParams({ include: 'insight', events, date_from, date_to });
    const answer = await fetch(`${this.url()}/api/projects/${id}/persons/trends?${query.toString()}`, {
      headers: { authorization: `Bearer ${key}` },
    }).catch(() => null);
    // The process has ended.
    const text = await answer?.text().catch(() => null);
    if (!answer || typeof text !== 'string') return null;
    if (answer.status === 503) {
      this.refusals.add((JSON.parse(text) as { detail: string }).detail.replace(/\d[\d,]*/g, 'n'));
      return null;
    }
    if (answer.status !== 200) {
      this.wrong.push(`${answer.status} ${text}`);
      return null;
    }
    return this.checked(JSON.parse(text) as Answer);
  }

  private checked({ as_of: asOf, insight }: Answer): number {
    const count = insight.series[0]?.count ?? 0;
    const [atLeast, atMost] = [this.writers.seenBy(Date.parse(asOf) - clockErrorMs), this.writers.seenSent];
    this.answers += 1;
    if (count < atLeast || count > atMost)
      this.wrong.push(`${count} as of ${asOf}, when ${atLeast} were acknowledged; ${atMost} were sent`);
    return count;
  }
}
