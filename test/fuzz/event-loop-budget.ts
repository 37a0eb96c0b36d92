import { setTimeout as sleep } from 'node:timers/promises';
import { type CostlyRequest } from './costly-requests.js';
import { longestHold } from './culprits.js';
import { type Grown, type Step } from './growth.js';
import { holdLimitMs } from './holds.js';
import { type MeasuredService } from './measured-service.js';
import { type Scene } from './scene.js';
import { Sender, type Outcome } from './send.js';
import { type FuzzRequest } from './draft.js';

export interface Spent {
  readonly status: string;
  /** The longest turn of the event loop, in processor time. */
  readonly longestMs: number;
}

export interface Growth {
  readonly steps: readonly Step[];
  readonly longestMs: number;
  readonly longestAt: number;
}

const largestQuery = 12 * 1024;
const largestBody = 4 * 1024 * 1024;
const patienceMs = 30_000;
const mostTries = 5;
/** A hopeless case is not made worse. */
const hopelessMs = 2000;
/** Refused for its size alone: more says nothing new. */
const tooLarge = new Set(['413', '414', '431']);

/** Sends one request at a time and measures what the main thread of the service spends on it. */
export class EventLoopBudget {
  private readonly sender: Sender;

  constructor(
    private readonly service: MeasuredService,
    private readonly key: string,
  ) {
    this.sender = new Sender(new URL(service.url), 1, patienceMs);
  }

  async spentOn(request: CostlyRequest, scene: Scene): Promise<Spent> {
    const before = request.before?.(scene);
    if (before) await this.sender.send(this.requestOf('POST', before.path, before.body));
    const body = request.body?.(scene) ?? null;
    const headers = {
      ...(request.isPublic ? {} : { authorization: `Bearer ${this.key}` }),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    };
    const sent = { ...this.requestOf(request.method, request.path(scene), body), headers };
    return this.least(sent);
  }

  /** Doubles what is in one place until it is refused for its size; only the greatest amounts unless `fromSmall`. */
  async grow(place: Grown, fromSmall: boolean): Promise<Growth> {
    const largest = place.isQuery ? largestQuery : largestBody;
    const steps: Step[] = [];
    let [longestMs, longestAt] = [0, 0];
    for (let bytes = fromSmall ? 512 : 6 * 1024; bytes <= largest; bytes *= fromSmall ? 2 : 4) {
      const { path, body } = place.request(bytes);
      const sent = this.requestOf(place.method, path, body, place.contentType);
      const { cpuMs, status } = await this.cost(sent);
      steps.push({ bytes, cpuMs });
      // Less in all is less in any one turn, and quicker to find out.
      const longest = cpuMs <= holdLimitMs ? cpuMs : (await this.least(sent)).longestMs;
      if (longest > longestMs) [longestMs, longestAt] = [longest, bytes];
      if (tooLarge.has(status) || cpuMs > hopelessMs) break;
    }
    return { steps, longestMs, longestAt };
  }

  private async cost(request: FuzzRequest): Promise<{ cpuMs: number; status: string }> {
    const before = this.service.mainThreadMs();
    const outcome = await this.sender.send(request);
    await this.untilAlive();
    return { cpuMs: this.service.mainThreadMs() - before, status: statusOf(outcome) };
  }

  /**
   * The least of several measurements where the first is over the limit. What is measured beside the request only adds to it: code
   * that is not compiled yet, a collection of garbage, and on a shared machine the time for which its processor was taken away.
   */
  private async least(request: FuzzRequest): Promise<Spent> {
    let least = await this.measure(request);
    for (
      let tries = 1;
      tries < mostTries && least.longestMs > holdLimitMs && least.longestMs <= hopelessMs;
      tries += 1
    ) {
      const next = await this.measure(request);
      if (next.longestMs < least.longestMs) least = next;
    }
    return least;
  }

  private async measure(request: FuzzRequest): Promise<Spent> {
    let outcome: Outcome = { error: 'not sent' };
    const hold = await longestHold(this.service, async () => {
      outcome = await this.sender.send(request);
      await this.untilAlive();
    });
    return { status: statusOf(outcome), longestMs: hold?.cpu_ms ?? 0 };
  }

  /** Work for a request may go on after its answer, or after the client has given up. */
  private async untilAlive(): Promise<void> {
    for (let tries = 0; tries < 60 && !this.service.hasEnded; tries++) {
      const answer = await fetch(`${this.service.url}/_livez`, { signal: AbortSignal.timeout(2000) }).catch(() => null);
      if (answer?.ok) return;
      await sleep(500);
    }
  }

  private requestOf(
    method: string,
    path: string,
    body: Buffer | string | null,
    contentType: string | null = 'application/json',
  ): FuzzRequest {
    return {
      index: 0,
      operation: `${method} ${path}`,
      faults: [],
      method,
      path,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body === null || contentType === null ? {} : { 'content-type': contentType }),
      },
      body: typeof body === 'string' ? Buffer.from(body) : body,
      anyRouteMayAnswer: [],
      abandoned: false,
    };
  }
}

const statusOf = (outcome: Outcome): string =>
  'error' in outcome ? outcome.error : String(outcome.answers.at(-1)?.status ?? 'none');
