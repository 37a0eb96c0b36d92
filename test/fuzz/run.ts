import { type OpenAPIObject } from '@nestjs/swagger';
import { setTimeout as sleep } from 'node:timers/promises';
import { Documented } from '../support/documented.js';
import { Caller } from './caller.js';
import { type FuzzRequest } from './draft.js';
import { Generator } from './generate.js';
import { culpritsAmong } from './culprits.js';
import { Holds, type Culprit, type LongHold } from './holds.js';
import { Judge } from './judge.js';
import { MeasuredService, type Stores } from './measured-service.js';
import { Memory, type MemoryFigures } from './memory.js';
import { operationsOf } from './operations.js';
import { makeScene, Upkeep } from './scene.js';
import { sendRaw } from './send-raw.js';
import { Sender, type Outcome } from './send.js';
import { Tally, withLog, type Failure } from './tally.js';
import { UnderWay } from './under-way.js';

export interface FuzzOptions {
  readonly stores: Stores;
  readonly requests: number;
  readonly seed: number;
  readonly connections: number;
  /** Only the request with this number. */
  readonly only?: number;
  /** Seconds to wait at the end until memory has settled. */
  readonly settleSeconds: number;
  /** Seconds to find out which requests held the event loop. */
  readonly culpritSeconds: number;
  readonly progress?: (line: string) => void;
  /** Receives each cause of a failure once, as soon as it is found. */
  readonly onFailure?: (failure: Failure) => void;
  /** Ends the run early; the report is about the requests up to then. */
  readonly signal?: AbortSignal;
}

export interface FuzzReport {
  readonly stores: Stores;
  readonly seed: number;
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Milliseconds of processor time per request: of the service's main thread, and of this process. */
  readonly mainThreadMs: number;
  readonly ownMs: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byOperation: ReturnType<Tally['timesByOperation']>;
  readonly failures: readonly Failure[];
  /** Turns of the event loop that were too long, whichever request was the cause. */
  readonly holds: readonly LongHold[];
  readonly culprits: readonly Culprit[];
  readonly pauses: readonly LongHold[];
  readonly memory: MemoryFigures;
  readonly death: string | null;
}

const upkeepEvery = 2500;
const warmUpRequests = 2000;

/** Starts a service with a scene, sends the requests, and says what was not as it should be. */
export const fuzz = async (options: FuzzOptions): Promise<FuzzReport> => {
  const service = await MeasuredService.start(20, options.stores);
  try {
    return await new Run(service, options).report();
  } finally {
    await service.stop();
  }
};

class Run {
  private readonly tally = new Tally();
  private readonly underWay = new UnderWay();
  private readonly holds: Holds;
  private readonly memory: Memory;
  private readonly sender: Sender;
  private next = 0;

  constructor(
    private readonly service: MeasuredService,
    private readonly options: FuzzOptions,
  ) {
    this.holds = new Holds(service, this.underWay);
    this.memory = new Memory(service);
    this.sender = new Sender(new URL(service.url), options.connections);
  }

  async report(): Promise<FuzzReport> {
    const { service, options } = this;
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
    const scene = await makeScene(service.url, service.bootstrap.personal_api_key);
    const upkeep = new Upkeep(new Caller(service.url, service.bootstrap.personal_api_key), scene);
    await upkeep.run();
    await this.holds.forget();
    const generator = new Generator(options.seed, operationsOf(document), scene);
    const judge = new Judge(new Documented(document));
    const started = performance.now();
    const [mainThreadBefore, ownBefore] = [service.mainThreadMs(), process.cpuUsage()];
    const watching = setInterval(() => void this.look(), 1000);
    if (options.only !== undefined) await this.one(generator.request(options.only), judge);
    else await Promise.all(Array.from({ length: options.connections }, () => this.worker(generator, judge, upkeep)));
    const seconds = (performance.now() - started) / 1000;
    const own = process.cpuUsage(ownBefore);
    const mainThreadMs = service.hasEnded ? NaN : service.mainThreadMs() - mainThreadBefore;
    await sleep(200);
    clearInterval(watching);
    await this.holds.look();
    if (!service.hasEnded) await this.memory.settle(options.settleSeconds);
    const again = (index: number) => this.send(generator.request(index)).then(() => undefined);
    const culprits = await culpritsAmong(service, this.holds.suspects, again, options.culpritSeconds * 1000);
    this.sender.close();
    return {
      stores: options.stores,
      seed: options.seed,
      requests: this.tally.requests,
      seconds: Math.round(seconds),
      perSecond: Math.round(this.tally.requests / seconds),
      mainThreadMs: mainThreadMs / this.tally.requests,
      ownMs: (own.user + own.system) / 1000 / this.tally.requests,
      byStatus: this.tally.byStatus,
      byOperation: this.tally.timesByOperation(),
      failures: this.tally.allFailures.map((failure) => withLog(failure, service.process.output())),
      holds: this.holds.longest,
      culprits,
      pauses: this.holds.pauses,
      memory: this.memory.figures,
      death: this.death(),
    };
  }

  private async worker(generator: Generator, judge: Judge, upkeep: Upkeep): Promise<void> {
    while (this.next < this.options.requests && !this.service.hasEnded && !this.options.signal?.aborted) {
      const index = this.next++;
      if (index === warmUpRequests) this.memory.begin();
      if (index % upkeepEvery === upkeepEvery - 1) await this.keepUp(upkeep);
      await this.one(generator.request(index), judge);
    }
  }

  private async one(request: FuzzRequest, judge: Judge): Promise<void> {
    const answered = this.underWay.begin(request.index, `${request.operation} [${request.faults.join(', ')}]`);
    const started = performance.now();
    const outcome = await this.send(request);
    answered();
    if (this.service.hasEnded && 'error' in outcome) return;
    const found = this.tally.add(request, outcome, performance.now() - started, judge.complaint(request, outcome));
    if (found) this.options.onFailure?.(withLog(found, this.service.process.output()));
  }

  private send(request: FuzzRequest): Promise<Outcome> {
    return request.pieces ? sendRaw(new URL(this.service.url), request) : this.sender.send(request);
  }

  private async keepUp(upkeep: Upkeep): Promise<void> {
    try {
      await upkeep.run();
    } catch (error) {
      this.options.progress?.(`the scene could not be kept up: ${String(error)}`);
    }
  }

  private async look(): Promise<void> {
    this.memory.look();
    await this.holds.look();
    this.options.progress?.(this.state());
  }

  private state(): string {
    const failed = this.tally.allFailures.reduce((sum, { count }) => sum + count, 0);
    return `${this.tally.requests} requests, ${failed} failed, ${this.holds.longest.length} long holds, ${Math.round(this.service.residentMiB())} MiB`;
  }

  private death(): string | null {
    if (!this.service.hasEnded) return null;
    const open = this.underWay.open().map(({ index, name }) => `${index} ${name}`);
    const { exitCode, signalCode } = this.service.process.child;
    return `the process ended with ${signalCode ?? exitCode} during: ${open.join('; ')}\n${this.service.process.output().slice(-2000)}`;
  }
}
