import { WrittenProperties } from '../stores/clickhouse/written.js';
import { projectedProperties, isProjected } from '../stores/clickhouse/schema/properties.js';

interface CommittedEvent {
  readonly uuid: string;
  readonly event: string;
  readonly distinctId: string;
  readonly timestamp: Date;
  readonly properties: object;
}

export interface CommittedEvents {
  readonly receivedAt: Date;
  /** What was not in the log before. */
  readonly fresh: readonly CommittedEvent[];
  /** By uuid: the properties as JSON. */
  readonly written: ReadonlyMap<string, string>;
}

export interface RecentEvent {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp: string;
  readonly received_at: string;
  readonly properties: WrittenProperties;
}

const maxBytes = 64 * 1024 ** 2;
/** What an event takes beside its properties. */
const bytesAround = 500;

/**
 * What this process has committed and is about to ship, so that it need not be read again. A help, never the truth: what
 * is not here is in the log.
 */
export class RecentEvents {
  private readonly events = new Map<string, RecentEvent>();
  private bytes = 0;

  keep(projectId: number, { receivedAt, fresh, written }: CommittedEvents): void {
    const received = storable(receivedAt);
    for (const event of fresh) {
      const name = nameOf(projectId, event.uuid);
      // Removed and sent again, an event may have changed.
      this.drop(name);
      if (this.bytes > maxBytes) continue;
      const recent = recentOf(event, received, written.get(event.uuid));
      this.events.set(name, recent);
      this.bytes += bytesOf(recent);
    }
  }

  /** Each is given once: whoever repeats a shipment reads the log. */
  take(projectId: number, uuid: string): RecentEvent | undefined {
    return this.drop(nameOf(projectId, uuid));
  }

  bytesOf(projectId: number, uuid: string): number | undefined {
    return this.events.get(nameOf(projectId, uuid))?.properties.json.length;
  }

  get size(): number {
    return this.events.size;
  }

  clear(): void {
    this.events.clear();
    this.bytes = 0;
  }

  private drop(name: string): RecentEvent | undefined {
    const recent = this.events.get(name);
    if (recent === undefined) return undefined;
    this.events.delete(name);
    this.bytes -= bytesOf(recent);
    return recent;
  }
}

const bytesOf = ({ properties }: RecentEvent): number => properties.json.length + bytesAround;

const nameOf = (projectId: number, uuid: string): string => `${projectId}:${uuid}`;

const recentOf = (
  { uuid, event, distinctId, timestamp, properties }: CommittedEvent,
  received: string,
  written: string | undefined,
): RecentEvent => ({
  uuid,
  event,
  distinct_id: distinctId,
  timestamp: storable(timestamp),
  received_at: received,
  properties: new WrittenProperties(
    written !== undefined && isProjected(properties) ? written : JSON.stringify(projectedProperties(properties)),
  ),
});

const earliest = Date.UTC(1900, 0, 1);
const latest = Date.UTC(2299, 11, 31, 23, 59, 59, 999);

/** As far as DateTime64 holds it. */
const storable = (time: Date): string => new Date(Math.min(Math.max(time.getTime(), earliest), latest)).toISOString();
