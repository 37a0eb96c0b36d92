import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type MovedMembers } from '../../kernel/memberships/moved-members.js';
import { type LoggableEvent, loggable, writeEvents } from '../../kernel/event-log/event-log.js';
import { normalise } from '../../kernel/event-log/normalise/normalise.js';
import { type Seeded } from './seed-events.js';
import { type Postgres } from '../../platform/postgres/postgres.js';

export interface SeedReport {
  readonly added: number;
  /** Events that the log already contains, from the same seed. */
  readonly duplicates: number;
}

const batchEvents = 5000;
/** The number of events that are generated in one go, before the transactions may continue. */
const burst = 250;
/** Two transactions run at a time: one computes here while the other computes in PostgreSQL. */
const laneCount = 2;

/** The events to write, in the order of time. */
export interface SeedTraffic {
  readonly events: Iterable<Seeded>;
  /** The time at which they are received. */
  readonly now: Date;
}

/** Writes as capture does, so that persons, merges and the projection arise as they do from real traffic. */
export const writeSeed = async (
  postgres: Postgres,
  projectId: number,
  { events: traffic, now }: SeedTraffic,
  members: MovedMembers,
  onProgress: (written: number) => void = () => undefined,
): Promise<SeedReport> => {
  const report = { added: 0, duplicates: 0 };
  const write = async (events: readonly LoggableEvent[]): Promise<void> => {
    const added = await postgres.transaction((client) => writeEvents(client, projectId, events, now, members), {
      repeat: true,
    });
    report.added += added;
    report.duplicates += events.length - added;
    onProgress(report.added + report.duplicates);
  };
  const lanes = Array.from({ length: laneCount }, () => new Lane(write));
  try {
    let made = 0;
    for (const { person, event } of traffic) {
      await lanes[person % laneCount]?.add(accepted(event, now));
      if ((made += 1) % burst === 0) await yieldToEventLoop();
    }
    await Promise.all(lanes.map((lane) => lane.finish()));
  } finally {
    await Promise.allSettled(lanes.map((lane) => lane.idle));
  }
  return report;
};

const accepted = (event: object, now: Date): LoggableEvent => {
  const normalised = normalise(event, { now, sentAt: null, index: 0, engage: false });
  if (!normalised.ok) throw new Error(`The seed made an event that capture refuses: ${normalised.rejection.detail}`);
  return loggable(normalised.event);
};

/** Runs one transaction after another. A person's events stay in one lane, and so in their order. */
class Lane {
  idle: Promise<void> = Promise.resolve();
  private waiting: LoggableEvent[] = [];

  constructor(private readonly write: (events: readonly LoggableEvent[]) => Promise<void>) {}

  async add(event: LoggableEvent): Promise<void> {
    this.waiting.push(event);
    if (this.waiting.length >= batchEvents) await this.start();
  }

  async finish(): Promise<void> {
    if (this.waiting.length > 0) await this.start();
    await this.idle;
  }

  private async start(): Promise<void> {
    const events = this.waiting;
    this.waiting = [];
    await this.idle;
    this.idle = this.write(events);
    // The next caller that waits for the lane gets the error; until then the promise has no other listener.
    this.idle.catch(() => undefined);
  }
}
