import { invalidInput, required } from '../../platform/errors/problem.js';
import { type Fields, assertOnlyKeys, isFields } from '../../platform/fields/values.js';
import { type Filter, allOf, everything, isEverything, leavesOf } from '../../filters/reading/filter.js';
import { insightFilters } from '../../filters/reading/filter-fields.js';
import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { readRange } from '../../platform/time/range.js';
import { FilterChecks } from '../../filters/checks/filter-checks.js';
import { type CohortMemberships } from '../../filters/compile/compile.sql.js';
import { type PersonRef } from '../../kernel/identity/person-ref.js';
import { PersonsRepository } from '../reading/persons.repository.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { connectionSlots } from '../../platform/postgres/connection.js';
import {
  type PersonChanges,
  foldPersonOperators,
  noChanges,
  personChanges,
  personProcessing,
} from '../../kernel/event-log/normalise/person-changes.js';
import { matchingEventsSql } from './matching-events.sql.js';
import { type LoggedEvent, readPersonLog } from './person-events.repository.js';
import { type Point, TimelinePoints } from './timeline-points.js';
import { type TimelineDto, type TimelineQuery } from './timeline.dto.js';
import { Postgres } from '../../platform/postgres/postgres.js';

/** Selects events of one name, or of any name, that pass a filter. */
interface RelevantPart {
  /** Null for any event. */
  readonly event: string | null;
  readonly filter: Filter;
  readonly attr: string;
}

const known = ['id', 'name', 'custom_name', 'type', 'order', 'properties', 'any_of', 'uuid', 'math', 'math_property'];
const maxEntities = 50;

/** Reads which events are relevant: those that match any part, or all events when there are no parts. */
const readRelevantEvents = (text: string | undefined): RelevantPart[] => {
  if (text === undefined || text.trim() === '') return [];
  return requireList(jsonOf(text), 'events').flatMap((entity, at) => partsOf(entity, `events.${at}`));
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalidInput('events must be JSON: a list such as [{"id": "signed up"}]', 'events');
  }
};

const requireList = (value: unknown, attr: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw invalidInput(`${attr} must be a list`, attr);
  if (value.length > maxEntities) throw invalidInput(`${attr} must have at most ${maxEntities} entries`, attr);
  return value;
};

const requireFields = (value: unknown, attr: string): Fields => {
  if (!isFields(value)) throw invalidInput(`${attr} must be an object such as {"id": "signed up"}`, attr);
  assertOnlyKeys(value, attr, { known });
  return value;
};

const partsOf = (entity: unknown, attr: string): RelevantPart[] => {
  if (typeof entity === 'string') return [{ event: entity, filter: everything, attr }];
  const fields = requireFields(entity, attr);
  if (fields.any_of === undefined) return [partOf(fields, attr)];
  const shared = filterOf(fields, attr);
  return requireList(fields.any_of, `${attr}.any_of`).map((part, at) => {
    const read = partOf(requireFields(part, `${attr}.any_of.${at}`), `${attr}.any_of.${at}`);
    return isEverything(shared) ? read : { ...read, filter: allOf(read.filter, shared) };
  });
};

const partOf = (fields: Fields, attr: string): RelevantPart => {
  const { id } = fields;
  if (id === undefined) throw required(`${attr}.id`);
  if (id !== null && typeof id !== 'string')
    throw invalidInput(`${attr}.id must be the name of an event, or null`, `${attr}.id`);
  return { event: id, filter: filterOf(fields, attr), attr };
};

const filterOf = ({ properties }: Fields, attr: string): Filter =>
  insightFilters.read(properties, `${attr}.properties`);

interface TimelineRequest {
  readonly from: Date | null;
  readonly to: Date;
  readonly parts: readonly RelevantPart[];
  readonly crucial: ReadonlySet<string> | null;
  readonly cohorts: CohortMemberships;
  readonly now: Date;
}

/** Shows how a person's properties changed, by replaying the event log. */
@Injectable()
export class PropertiesTimeline {
  /** Limits the timelines at the same time, because each holds a connection until ClickHouse has answered which events match. */
  private readonly inSlot = connectionSlots(4, { alone: 2, crowded: 2 });

  constructor(
    private readonly postgres: Postgres,
    private readonly persons: PersonsRepository,
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly filterChecks: FilterChecks,
  ) {}

  async of(project: ProjectContext, ref: PersonRef, query: TimelineQuery, now: Date): Promise<TimelineDto> {
    const request = await this.read(project, query, now);
    const person = await this.persons.get(project, ref);
    // ClickHouse is queried only when an entity has filters.
    if (request.parts.some(({ filter }) => !isEverything(filter)))
      await this.projection.waitUntilFresh(project.id, now);
    const points = new TimelinePoints(request.crucial);
    const take = async (events: readonly LoggedEvent[]) => {
      const relevant = await this.relevant(project, request, events);
      for (const event of events) {
        points.add({
          timestamp: event.timestamp,
          changes: changesOf(event),
          isRelevant: relevant.has(event.uuid),
        });
      }
    };
    await this.inSlot(project, () => readPersonLog(this.postgres, project.id, person.id, take));
    const finished = points.finish(person.properties as Record<string, unknown>);
    const from = request.from ?? finished[0]?.timestamp ?? null;
    return {
      ...person,
      points: finished.map(toPointDto),
      crucial_property_keys: [...(request.crucial ?? keysOf(finished))].sort(),
      date_from: from === null ? null : from.toISOString(),
      date_to: request.to.toISOString(),
    };
  }

  private async read(project: ProjectContext, query: TimelineQuery, now: Date): Promise<TimelineRequest> {
    const { from, to } = readRange(query, query.interval, now, project);
    const parts = readRelevantEvents(query.events);
    const filter = insightFilters.read(query.properties, 'properties');
    const crucial = leavesOf(filter).flatMap((leaf) =>
      leaf.kind === 'property' && leaf.source === 'person' ? [leaf.key] : [],
    );
    const [cohorts] = await Promise.all([
      this.filterChecks.resolve(project, allOf(...parts.map((part) => part.filter)), 'events'),
      this.filterChecks.resolve(project, filter, 'properties'),
    ]);
    return { from, to, parts, crucial: crucial.length > 0 ? new Set(crucial) : null, cohorts, now };
  }

  /** Returns the events that are in the range and match a part. The events must be in the order of time. */
  private async relevant(
    project: ProjectContext,
    request: TimelineRequest,
    events: readonly LoggedEvent[],
  ): Promise<ReadonlySet<string>> {
    const { from, to, parts } = request;
    const inRange = events.filter(({ timestamp }) => (from === null || timestamp >= from) && timestamp <= to);
    if (parts.length === 0) return new Set(inRange.map(({ uuid }) => uuid));
    const relevant = new Set<string>();
    for (const { event: name, filter } of parts) {
      const named = inRange.filter(({ event }) => name === null || event === name);
      const matching = isEverything(filter) ? named : await this.matching(project, request, filter, named);
      for (const { uuid } of matching) relevant.add(uuid);
    }
    return relevant;
  }

  private async matching(
    project: ProjectContext,
    { cohorts, now }: TimelineRequest,
    filter: RelevantPart['filter'],
    events: readonly LoggedEvent[],
  ): Promise<{ readonly uuid: string }[]> {
    const { id: projectId, timezone } = project;
    const matching: { readonly uuid: string }[] = [];
    // There is one query for each event name, because the table is sorted by name.
    for (const event of new Set(events.map(({ event }) => event))) {
      const named = events.filter((other) => other.event === event);
      const [first, last] = [named[0], named.at(-1)];
      if (!first || !last) continue;
      const uuids = named.map(({ uuid }) => uuid);
      const range = { from: first.timestamp, to: last.timestamp };
      const question = { projectId, timezone, now, cohorts, event, filter, uuids, ...range };
      matching.push(...(await this.clickhouse.query<{ uuid: string }>(matchingEventsSql(question), { project })));
    }
    return matching;
  }
}

/** Normalises the event again, which yields the same changes, because the log stores events in normalised form. */
const changesOf = ({ event, properties }: LoggedEvent): PersonChanges =>
  personProcessing(properties).process
    ? personChanges(event, foldPersonOperators({}, properties).operators, properties)
    : noChanges(false);

const keysOf = (points: readonly Point[]): Set<string> =>
  new Set(points.flatMap(({ properties }) => Object.keys(properties)));

const toPointDto = ({ timestamp, properties, relevantEvents }: Point) => ({
  timestamp: timestamp.toISOString(),
  properties,
  relevant_event_count: relevantEvents,
});
