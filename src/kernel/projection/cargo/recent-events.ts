import { memoryShares } from '../../../platform/config/memory-shares.js';
import { OffHeapText } from '../../../platform/values/off-heap-text.js';
import { WrittenProperties } from '../../../platform/clickhouse/request.js';
import { storableMs } from '../../../platform/time/dates.js';
import { type GroupName, type NamedActors, namedActors } from '../named-groups.js';

interface CommittedEvent {
  readonly uuid: string;
  readonly event: string;
  readonly distinctId: string;
  readonly timestamp: Date;
  /** The properties in the form of ClickHouse, as JSON. */
  readonly projected: OffHeapText;
  readonly groups: readonly GroupName[];
}

export interface CommittedEvents {
  readonly receivedAt: Date;
  /** The events that were new in the log. */
  readonly fresh: readonly CommittedEvent[];
}

export interface RecentEvent {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp: string;
  readonly received_at: string;
  readonly properties: WrittenProperties;
  readonly groups: NamedActors;
}

interface BufferedEvent {
  readonly event: string;
  readonly distinctId: string;
  readonly time: number;
  readonly received: string;
  readonly projected: OffHeapText;
  readonly groups: NamedActors;
}

/** The memory in bytes that an event takes in addition to its properties. */
const bytesAround = 300;
const bytesOfGroups = 200;

const bytesOf = ({ projected, groups }: BufferedEvent): number =>
  projected.bytes + bytesAround + (groups ? bytesOfGroups : 0);

/**
 * Buffers the events that this process has committed and will soon ship, so that they need not be read again. It is an
 * optimisation, never the truth: an event that is missing here is read from the log.
 */
export class RecentEvents {
  private readonly projects = new Map<number, Map<string, BufferedEvent>>();
  private bytes = 0;
  private count = 0;

  constructor(private readonly maxBytes = memoryShares().recentEvents) {}

  remember(projectId: number, { receivedAt, fresh }: CommittedEvents): void {
    const events = this.projects.get(projectId) ?? new Map<string, BufferedEvent>();
    this.projects.set(projectId, events);
    // Drops earlier copies, because an event that was removed and sent again may have changed.
    for (const { uuid } of fresh) this.drop(projectId, uuid);
    if (this.bytes > this.maxBytes) return;
    const received = storableText(receivedAt.getTime());
    // Copies the texts, because slices would keep everything that was received with them, for example duplicates, in memory
    // uncounted.
    const texts = OffHeapText.together(fresh.map(projectedOf)).values();
    for (const { uuid, event, distinctId, timestamp, groups: named } of fresh) {
      const projected = texts.next().value as OffHeapText;
      const groups = namedActors(projectId, named);
      const buffered = { event, distinctId, time: timestamp.getTime(), received, projected, groups };
      events.set(uuid, buffered);
      this.bytes += bytesOf(buffered);
      this.count += 1;
    }
  }

  /** Returns each event once: a shipment that is repeated reads the log. */
  take(projectId: number, uuid: string): RecentEvent | undefined {
    const buffered = this.drop(projectId, uuid);
    return buffered && recentOf(uuid, buffered);
  }

  bytesOf(projectId: number, uuid: string): number | undefined {
    return this.projects.get(projectId)?.get(uuid)?.projected.bytes;
  }

  get size(): number {
    return this.count;
  }

  /** True when shipping should not wait: events that arrive when the buffer is full have to be read from the log. */
  get isNearlyFull(): boolean {
    return this.bytes > 0.9 * this.maxBytes;
  }

  clear(): void {
    this.projects.clear();
    this.bytes = 0;
    this.count = 0;
  }

  private drop(projectId: number, uuid: string): BufferedEvent | undefined {
    const events = this.projects.get(projectId);
    const buffered = events?.get(uuid);
    if (buffered === undefined) return undefined;
    events?.delete(uuid);
    this.bytes -= bytesOf(buffered);
    this.count -= 1;
    return buffered;
  }
}

const projectedOf = ({ projected }: CommittedEvent): OffHeapText => projected;

const recentOf = (
  uuid: string,
  { event, distinctId, time, received, projected, groups }: BufferedEvent,
): RecentEvent => ({
  uuid,
  event,
  distinct_id: distinctId,
  timestamp: storableText(time),
  received_at: received,
  properties: new WrittenProperties(projected.toString()),
  groups,
});

const storableText = (ms: number): string => new Date(storableMs(ms)).toISOString();
