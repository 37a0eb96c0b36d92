import { Injectable } from '@nestjs/common';
import { SharedWork } from '../../platform/work/shared-work.js';
import { BoundedMap } from '../../platform/values/bounded-map.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Projection } from '../../kernel/projection/projection.js';
import { typeOfStored } from '../../kernel/projection/schema/property.sql.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { daysSql, propertiesOfDaySql, type DayRange } from './catalogue.sql.js';

interface PropertyOfDay {
  readonly path: string;
  readonly types: readonly string[];
  readonly events: number;
  readonly last_seen: string;
}

/**
 * The properties of a day, with an array for each kind of value: each full garbage collection visits every object that is
 * kept, so an object for each property of each day would hold up the service.
 */
interface Day {
  readonly stamp: string;
  readonly paths: readonly string[];
  /** A bit for each type in `typeNames`. */
  readonly types: Uint8Array;
  readonly events: Float64Array;
  /** The time of the latest event with each property, in milliseconds. */
  readonly lastSeen: Float64Array;
}

export interface PropertyTotal {
  readonly path: string;
  readonly types: string[];
  readonly events: number;
  readonly lastSeen: string;
}

export interface PropertyTotals {
  readonly totals: readonly PropertyTotal[];
  /** The first day that is counted. */
  readonly since: string;
}

/** The types of values, in the order of answers. */
const typeNames = ['boolean', 'number', 'text'];
/** The number of properties that are counted for a day: the most frequent ones. */
const perDay = 1_000;
const maxProjects = 20;
/** A request that has counted for longer than this answers with the days that are counted so far. */
const patienceMs = 10_000;

/**
 * The numbers of event properties, day by day. The properties of a million events take seconds to read, so a day is read
 * again only when it has other events than before.
 */
@Injectable()
export class PropertyDays {
  private readonly known = new BoundedMap<number, Map<string, Day>>(maxProjects);
  private readonly work = new SharedWork();

  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
  ) {}

  /** Returns the numbers of a range of days; must be called after the projection is fresh. */
  async of(project: ProjectContext, range: DayRange): Promise<PropertyTotals> {
    const position = await this.projection.position();
    const key = `${project.id} ${range.first} ${range.last} ${position}`;
    const signal = project.signal ?? new AbortController().signal;
    return this.work.share(key, signal, (stop) => this.count({ ...project, signal: stop }, range));
  }

  private async count(project: ProjectContext, range: DayRange): Promise<PropertyTotals> {
    const startedAt = performance.now();
    const stamps = await this.clickhouse.query<{ day: string; stamp: string }>(daysSql(project.id, range), { project });
    const before = this.known.get(project.id);
    const shared = sharedTexts(before?.values() ?? []);
    const days = new Map<string, Day>();
    let since = range.first;
    for (const [at, { day, stamp }] of stamps.entries()) {
      const known = before?.get(day);
      if (known?.stamp !== stamp && at > 0 && performance.now() - startedAt > patienceMs) {
        since = stamps[at - 1]?.day ?? range.last;
        break;
      }
      days.set(day, known?.stamp === stamp ? known : await this.read(project, day, stamp, shared));
    }
    // Days that are not counted now keep their earlier counts, which are still true.
    this.known.set(project.id, new Map([...(since === range.first ? [] : (before ?? [])), ...days]));
    return { totals: totalsOf([...days.values()]), since };
  }

  private async read(
    project: ProjectContext,
    day: string,
    stamp: string,
    shared: (text: string) => string,
  ): Promise<Day> {
    const rows = await this.clickhouse.query<PropertyOfDay>(propertiesOfDaySql(project.id, day, perDay), { project });
    return {
      stamp,
      paths: rows.map(({ path }) => shared(path)),
      types: Uint8Array.from(rows, ({ types }) => bitsOf(types)),
      events: Float64Array.from(rows, ({ events }) => events),
      lastSeen: Float64Array.from(rows, ({ last_seen: lastSeen }) => Date.parse(lastSeen)),
    };
  }
}

/**
 * Returns a function that replaces a text by an equal one given before, because the days of a project have mostly the same
 * properties.
 */
const sharedTexts = (days: Iterable<Day>): ((text: string) => string) => {
  const texts = new Map<string, string>();
  const shared = (text: string): string => {
    const known = texts.get(text);
    if (known === undefined) texts.set(text, text);
    return known ?? text;
  };
  for (const { paths } of days) paths.forEach(shared);
  return shared;
};

const bitsOf = (types: readonly string[]): number =>
  types.reduce((bits, type) => bits | (1 << typeNames.indexOf(typeOfStored(type))), 0);

const typesOf = (bits: number): string[] => typeNames.filter((_, at) => bits & (1 << at));

/** Adds up the numbers of the days; the most frequent properties come first. */
const totalsOf = (days: readonly Day[]): PropertyTotal[] => {
  const sums = new Map<string, { types: number; events: number; lastSeen: number }>();
  for (const { paths, types, events, lastSeen } of days) {
    for (const [at, path] of paths.entries()) {
      const sum = sums.get(path) ?? { types: 0, events: 0, lastSeen: -Infinity };
      sum.types |= types[at] ?? 0;
      sum.events += events[at] ?? 0;
      sum.lastSeen = Math.max(sum.lastSeen, lastSeen[at] ?? -Infinity);
      sums.set(path, sum);
    }
  }
  return [...sums]
    .map(([path, { types, events, lastSeen }]) => ({
      path,
      types: typesOf(types),
      events,
      lastSeen: new Date(lastSeen).toISOString(),
    }))
    .sort((a, b) => b.events - a.events || (a.path < b.path ? -1 : 1));
};
