import { Injectable } from '@nestjs/common';
import { SharedWork } from '../common/background/shared-work.js';
import { BoundedMap } from '../common/bounded-map.js';
import { type ProjectContext } from '../common/project-context.js';
import { Projection } from '../projection/projection.js';
import { ClickHouse } from '../stores/clickhouse/client.js';
import { daysSql, propertiesOfDaySql, type DayRange } from './catalogue.sql.js';

interface PropertyOfDay {
  readonly path: string;
  readonly types: readonly string[];
  readonly events: number;
  readonly last_seen: string;
}

interface Day {
  readonly stamp: string;
  readonly properties: readonly PropertyOfDay[];
}

export interface PropertyTotal {
  readonly path: string;
  readonly types: readonly string[];
  readonly events: number;
  readonly lastSeen: string;
}

export interface PropertyTotals {
  readonly totals: readonly PropertyTotal[];
  /** The first day that is counted. */
  readonly since: string;
}

/** The most frequent properties of a day. */
const perDay = 1_000;
const projectsKept = 20;
/** A request that has counted for so long answers with the days that are counted. */
const patienceMs = 10_000;

/**
 * The numbers of event properties, day by day. The properties of a million events take seconds to read, so a day is read
 * again only when it has other events than before.
 */
@Injectable()
export class PropertyDays {
  private readonly kept = new BoundedMap<number, Map<string, Day>>(projectsKept);
  private readonly work = new SharedWork();

  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
  ) {}

  /** Call it after the projection is fresh. */
  async of(project: ProjectContext, range: DayRange): Promise<PropertyTotals> {
    const position = await this.projection.position();
    const key = `${project.id} ${range.first} ${range.last} ${position}`;
    const signal = project.signal ?? new AbortController().signal;
    return this.work.share(key, signal, (stop) => this.count({ ...project, signal: stop }, range));
  }

  private async count(project: ProjectContext, range: DayRange): Promise<PropertyTotals> {
    const begun = performance.now();
    const stamps = await this.clickhouse.query<{ day: string; stamp: string }>(daysSql(project.id, range), { project });
    const before = this.kept.get(project.id);
    const days = new Map<string, Day>();
    let since = range.first;
    for (const [at, { day, stamp }] of stamps.entries()) {
      const known = before?.get(day);
      if (known?.stamp !== stamp && at > 0 && performance.now() - begun > patienceMs) {
        since = stamps[at - 1]?.day ?? range.last;
        break;
      }
      days.set(day, known?.stamp === stamp ? known : { stamp, properties: await this.read(project, day) });
    }
    // What was known of days that are not counted now is still true of them.
    this.kept.set(project.id, new Map([...(since === range.first ? [] : (before ?? [])), ...days]));
    return { totals: totalsOf([...days.values()]), since };
  }

  private read(project: ProjectContext, day: string): Promise<PropertyOfDay[]> {
    return this.clickhouse.query<PropertyOfDay>(propertiesOfDaySql(project.id, day, perDay), { project });
  }
}

/** Most frequent first. */
const totalsOf = (days: readonly Day[]): PropertyTotal[] => {
  const totals = new Map<string, PropertyTotal>();
  for (const { properties } of days) {
    for (const { path, types, events, last_seen: lastSeen } of properties) {
      const sum = totals.get(path);
      totals.set(path, {
        path,
        types: [...new Set([...(sum?.types ?? []), ...types])],
        events: (sum?.events ?? 0) + events,
        lastSeen: sum && sum.lastSeen > lastSeen ? sum.lastSeen : lastSeen,
      });
    }
  }
  return [...totals.values()].sort((a, b) => b.events - a.events || (a.path < b.path ? -1 : 1));
};
