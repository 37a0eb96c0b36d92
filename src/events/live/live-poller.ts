import { Inject, Injectable } from '@nestjs/common';
import { Signal } from '../../platform/work/signal.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { ArrivalsReader, type Arrived } from './arrivals-reader.js';
import { resumableMs } from './arrivals-sweep.js';
import { eventMessage, eventsOnResume, eventsPerSecond, type LiveStream } from './live-stream.js';
import { isOfOtherDatabase, positionAt, type Position, type Snapshot } from './position.js';

const everyMs = 500;
const afterFailureMs = 1000;
/** Filters examine this many events of a project at once; the others count as skipped. */
const mostExamined = 5000;
/** At most this many bytes of the events of one project are read at once. */
const mostBytes = 4 * 1024 ** 2;

interface Newcomer {
  readonly stream: LiveStream;
  readonly from: Position | null;
  readonly joined: () => void;
  /** Null for a stream that has started before: its client gets no error, and it is tried again. */
  readonly refused: ((error: unknown) => void) | null;
}

interface Interval {
  readonly from: Snapshot;
  readonly to: Snapshot;
  readonly takenAt: number;
}

/**
 * Finds new events for all streams of this process. Each round reads all watched projects in one statement; without streams there
 * is none. A round reads the arrivals of transactions that had not ended in the round before and have now, so each event is found
 * once, no matter when and in which process its transaction started.
 */
@Injectable()
export class LivePoller {
  private readonly streams = new Set<LiveStream>();
  private newcomers: Newcomer[] = [];
  private snapshot: Snapshot | null = null;
  private running: Promise<void> | null = null;
  private readonly news = new Signal();

  constructor(
    private readonly reader: ArrivalsReader,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Adds a stream. Resolves when the stream gets every event that is committed from now on. */
  join(stream: LiveStream): Promise<void> {
    return new Promise((joined, refused) => {
      this.newcomers.push({ stream, from: stream.resumed, joined, refused });
      this.news.notify();
      this.running ??= this.run();
    });
  }

  leave(stream: LiveStream): void {
    stream.end();
    this.streams.delete(stream);
  }

  private async run(): Promise<void> {
    while (this.streams.size + this.newcomers.length > 0) {
      const since = this.news.count;
      let pause = everyMs;
      try {
        await this.look();
      } catch (error) {
        pause = afterFailureMs;
        this.logger.warn({ err: error }, 'new events could not be read for live streams; none is lost');
      }
      await this.news.waitForNext(pause, since);
    }
    this.snapshot = null;
    this.running = null;
  }

  private async look(): Promise<void> {
    const newcomers = this.newcomers;
    this.newcomers = [];
    try {
      const now = await this.followed();
      while (newcomers[0]) {
        await this.welcome(newcomers[0], now);
        newcomers.shift();
      }
    } catch (error) {
      for (const newcomer of newcomers) {
        if (newcomer.refused) newcomer.refused(error);
        else this.newcomers.push(newcomer);
      }
      throw error;
    }
  }

  /** Delivers new events to the streams that have joined. Returns the interval up to which these streams have everything. */
  private async followed(): Promise<Interval> {
    const before = this.streams.size === 0 ? null : this.snapshot;
    if (before === null) {
      this.snapshot = await this.reader.snapshot();
      return { from: this.snapshot, to: this.snapshot, takenAt: Date.now() };
    }
    const takenAt = Date.now();
    const projectIds = [...new Set([...this.streams].map(({ projectId }) => projectId))];
    const read = await this.reader.read({ projectIds, from: before, to: null, after: null, most: mostExamined });
    const interval = { from: before, to: read.snapshot, takenAt };
    this.snapshot = read.snapshot;
    const arrived = isOfOtherDatabase(before, read.snapshot) ? new Map<number, Arrived>() : read.projects;
    for (const projectId of projectIds) {
      const streams = [...this.streams].filter((stream) => stream.projectId === projectId);
      try {
        await this.deliver(projectId, streams, arrived.get(projectId), interval, false);
      } catch (error) {
        this.logger.warn({ err: error, project: projectId }, 'live streams get these events at the next attempt');
        for (const stream of streams) this.again(stream, positionAt(before, takenAt));
      }
    }
    return interval;
  }

  private again(stream: LiveStream, from: Position): void {
    this.streams.delete(stream);
    this.newcomers.push({ stream, from, joined: () => undefined, refused: null });
  }

  /** Gives a new stream the events that it has missed up to now, and lets it join. */
  private async welcome({ stream, from, joined }: Newcomer, now: Interval): Promise<void> {
    if (stream.isOver) return joined();
    if (from === null) stream.position = positionAt(now.to, now.takenAt);
    else await this.catchUp(stream, from, now);
    if (!stream.isOver) this.streams.add(stream);
    joined();
  }

  private async catchUp(stream: LiveStream, from: Position, { to, takenAt }: Interval): Promise<void> {
    const isOther = isOfOtherDatabase(from.to, to);
    stream.position = from;
    if (isOther || takenAt - from.takenAt > resumableMs) stream.report(null);
    if (isOther) return stream.take([], 0, to, takenAt);
    const intervals = from.last === null ? [] : [{ from: from.from, to: from.to, after: from.last }];
    for (const { after, ...interval } of [...intervals, { from: from.to, to, after: null }]) {
      const { projects } = await this.reader.read({
        projectIds: [stream.projectId],
        ...interval,
        after,
        most: mostExamined,
      });
      await this.deliver(stream.projectId, [stream], projects.get(stream.projectId), { ...interval, takenAt }, true);
    }
  }

  private async deliver(
    projectId: number,
    streams: readonly LiveStream[],
    arrived: Arrived | undefined,
    { from, to, takenAt }: Interval,
    isResuming: boolean,
  ): Promise<void> {
    if (arrived === undefined) {
      for (const stream of streams) stream.take([], 0, to, takenAt);
      return;
    }
    const isFiltered = streams.some((stream) => stream.isFiltered);
    const events = arrived.events.slice(0, isFiltered ? mostExamined : isResuming ? eventsOnResume : eventsPerSecond);
    const uuids = events.map(({ uuid }) => uuid);
    const heads = isFiltered ? await this.reader.heads(projectId, uuids) : null;
    const choices = streams.map((stream) =>
      stream.choose(events.length, heads, arrived.total - events.length, isResuming),
    );
    const needed = [...new Set(choices.flatMap(({ chosen }) => chosen))].sort((a, b) => a - b);
    const neededUuids = needed.map((at) => uuids[at] as string);
    const contents = await this.reader.contents(projectId, neededUuids, mostBytes);
    const messages = new Map<number, string>();
    for (const at of needed) {
      const event = events[at];
      const json = event && contents.get(event.uuid);
      if (event && json !== undefined)
        messages.set(at, eventMessage({ from, to, last: event.position, takenAt }, json));
    }
    streams.forEach((stream, index) => {
      const { chosen, skipped } = choices[index] ?? { chosen: [], skipped: 0 };
      const texts = chosen.flatMap((at) => messages.get(at) ?? []);
      stream.take(texts, skipped + chosen.length - texts.length, to, takenAt);
    });
  }
}
