import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BootstrapFile, type RunningProcess } from './process.js';

export interface Reply {
  readonly what: 'capture' | 'question';
  readonly status: number;
  readonly ms: number;
  readonly detail: string;
}

/** Stands in each event, and must not stand in any log. */
export const personalText = 'grace.hopper@example.test';

/** Sends what SDKs and a dashboard send to a running service. */
export class Traffic {
  private readonly refused: object[][] = [];
  private sent = 0;

  constructor(
    private readonly service: Pick<RunningProcess, 'url'>,
    private readonly project: BootstrapFile,
  ) {}

  /** How many events the service has confirmed. */
  get accepted(): number {
    return this.sent - this.refused.reduce((sum, batch) => sum + batch.length, 0);
  }

  /** The same traffic, to the process that comes next. */
  at(service: Pick<RunningProcess, 'url'>): Traffic {
    const next = new Traffic(service, this.project);
    next.sent = this.sent;
    next.refused.push(...this.refused);
    return next;
  }

  /** Events with properties that no compression makes small. */
  async capture(events = 20, bytes = 50): Promise<Reply> {
    const batch = Array.from({ length: events }, (_, at) => ({
      uuid: randomUUID(),
      event: 'seen',
      distinct_id: `${personalText} ${at}`,
      properties: { text: randomBytes(bytes).toString('hex') },
    }));
    this.sent += events;
    return this.send(batch);
  }

  /** What was refused, once more: an SDK does so. */
  async captureAgain(): Promise<Reply[]> {
    const replies: Reply[] = [];
    for (const batch of this.refused.splice(0)) replies.push(await this.send(batch));
    return replies;
  }

  async question(): Promise<Reply & { readonly count: number | null }> {
    // A clock that steps may be at another day.
    const [date_from = '', date_to = ''] = [-2, 2].map((days) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
    );
    const events = JSON.stringify([{ id: 'seen' }]);
    const query = new URLSearchParams({ include: 'insight', events, date_from, date_to });
    const { project_id: id, personal_api_key: key } = this.project;
    const { body, reply } = await this.timed('question', `/api/projects/${id}/persons/trends?${query.toString()}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { insight } = body as { insight?: { series: { count: number }[] } };
    return { ...reply, count: insight?.series[0]?.count ?? null };
  }

  /** Captures and asks again and again. */
  async go(rounds: number, { events = 20, bytes = 50, pauseMs = 50 } = {}): Promise<Reply[]> {
    const replies: Reply[] = [];
    for (let round = 0; round < rounds; round += 1) {
      replies.push(await this.capture(events, bytes), await this.question());
      await sleep(pauseMs);
    }
    return replies;
  }

  /** Returns how long it takes until everything is accepted, and counted once. */
  async untilRight(withinMs = 20_000): Promise<number> {
    const begun = performance.now();
    for (let count: number | null = null; count !== this.sent; await sleep(50)) {
      await this.captureAgain();
      ({ count } = await this.question());
      if (performance.now() - begun > withinMs) throw new Error(`${this.sent} were sent, ${count} are counted`);
    }
    return Math.round(performance.now() - begun);
  }

  private async send(batch: object[]): Promise<Reply> {
    const body = JSON.stringify({ api_key: this.project.project_token, batch });
    const { reply } = await this.timed('capture', '/batch', { method: 'POST', body });
    if (reply.status !== 200) this.refused.push(batch);
    return reply;
  }

  private async timed(what: Reply['what'], path: string, init: RequestInit): Promise<{ reply: Reply; body: object }> {
    const begun = performance.now();
    const answer = await fetch(`${this.service.url}${path}`, init);
    const body = (await answer.json()) as { detail?: string };
    const ms = Math.round(performance.now() - begun);
    return { reply: { what, status: answer.status, ms, detail: body.detail ?? '' }, body };
  }
}

export const statusesOf = (replies: readonly Reply[], what: Reply['what']): number[] =>
  [...new Set(replies.filter((reply) => reply.what === what).map(({ status }) => status))].sort((a, b) => a - b);

export const slowest = (replies: readonly Reply[]): number => Math.max(...replies.map(({ ms }) => ms));
