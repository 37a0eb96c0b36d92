import { Injectable } from '@nestjs/common';
import { notFound } from '../../platform/errors/problem.js';
import { internalEvents } from '../../kernel/event-log/internal-events.js';
import {
  type Cursor,
  type KeysetSlice,
  type PageQuery,
  type Slice,
  decodeCursor,
} from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type GroupInQuestion } from '../../groups/reading/groups.repository.js';
import { FilterChecks } from '../../filters/checks/filter-checks.js';
import { everything } from '../../filters/reading/filter.js';
import { type QuestionWarningDto } from '../../filters/warnings/question-warning.dto.js';
import { QuestionWarnings } from '../../filters/warnings/question-warnings.js';
import { insightFilters } from '../../filters/reading/filter-fields.js';
import { HiddenNames } from '../../persons/values/hidden-names.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import {
  type EventDto,
  type EventNameDto,
  type EventNamesQuery,
  type EventsQuery,
  type IngestionWarningDto,
} from './event.dto.js';
import { EventsRepository } from './events.repository.js';
import {
  eventCountSql,
  eventNameCountSql,
  eventNamesSql,
  eventPageSql,
  type EventKey,
  type EventsFilter,
  type PropertiesQuestion,
} from './events.sql.js';
import { isStorable } from '../../platform/time/dates.js';
import { timeBound } from '../../platform/fields/time-bound.js';
import { isUuid } from '../../platform/values/ids.js';

const isEventKey = (key: readonly string[]): boolean =>
  key.length === 2 && /^-?\d{1,14}$/.test(key[0] ?? '') && isUuid(key[1] ?? '') && isStorable(Number(key[0]));

/** The position of an event in lists. */
export const eventKeyOf = ({ timestamp, uuid }: EventDto) => [String(Date.parse(timestamp)), uuid];

@Injectable()
export class EventsService {
  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly rows: EventsRepository,
    private readonly filterChecks: FilterChecks,
    private readonly hiddenNames: HiddenNames,
    private readonly questionWarnings: QuestionWarnings,
  ) {}

  cursorOf({ cursor }: EventsQuery): Cursor | null {
    return decodeCursor(cursor, isEventKey);
  }

  /**
   * Lists events. ClickHouse finds the page, and the log provides the events, so that properties come back exactly as they were
   * sent. With `group`, only its events.
   */
  async list(
    project: ProjectContext,
    query: EventsQuery,
    cursor: Cursor | null,
    now: Date,
    group: GroupInQuestion | null = null,
  ): Promise<KeysetSlice<EventDto> & { readonly warnings: readonly QuestionWarningDto[] }> {
    const properties = await this.propertiesOf(project, query, now);
    const personId = query.person_id === undefined ? null : await this.rows.personIdOf(project.id, query.person_id);
    if (query.person_id !== undefined && personId === null) return { count: 0, records: [], warnings: [] };
    await this.projection.waitUntilFresh(project.id, now);
    const filter: EventsFilter = {
      personId: personId === null ? null : BigInt(personId),
      distinctId: query.distinct_id ?? null,
      event: query.event ?? null,
      group,
      after: timeBound(query.after, 'after', now, project),
      before: timeBound(query.before, 'before', now, project),
    };
    const page = eventPageSql(filter, properties, cursor, query.limit + 1, cursor ? 0 : query.offset);
    const [keys, totals] = await Promise.all([
      this.clickhouse.query<EventKey>(page, { project }),
      this.clickhouse.query<{ count: number }>(eventCountSql(filter, properties), { project }),
    ]);
    const records = await this.rows.byUuid(
      project.id,
      keys.map(({ id }) => id),
    );
    const count = totals[0]?.count ?? 0;
    const named = {
      matches: query.event === undefined ? [] : [{ event: query.event, filter: everything }],
      filters: [properties.filter],
    };
    return { count, records, warnings: count === 0 ? await this.questionWarnings.of(project, named) : [] };
  }

  private async propertiesOf(project: ProjectContext, query: EventsQuery, now: Date): Promise<PropertiesQuestion> {
    const filter = insightFilters.read(query.properties, 'properties');
    const cohorts = await this.filterChecks.resolve(project, filter, 'properties');
    return { filter, cohorts, projectId: project.id, timezone: project.timezone, now };
  }

  async get(project: ProjectContext, uuid: string): Promise<EventDto> {
    const [event] = isUuid(uuid) ? await this.rows.byUuid(project.id, [uuid.toLowerCase()]) : [];
    if (!event) throw notFound(`there is no event ${uuid}${uuid === 'export' ? ': did you mean export/events?' : ''}`);
    return event;
  }

  async names(project: ProjectContext, query: EventNamesQuery, now: Date): Promise<Slice<EventNameDto>> {
    await this.projection.waitUntilFresh(project.id, now);
    const hidden = [
      ...(query.include_internal ? [] : internalEvents),
      ...(query.include_hidden ? [] : await this.hiddenNames.of(project, 'event')),
    ];
    const [results, totals] = await Promise.all([
      this.clickhouse.query<EventNameDto>(eventNamesSql(project.id, hidden, query), { project }),
      this.clickhouse.query<{ count: number }>(eventNameCountSql(project.id, hidden), { project }),
    ]);
    return { count: totals[0]?.count ?? 0, results };
  }

  warnings(project: ProjectContext, page: PageQuery): Promise<Slice<IngestionWarningDto>> {
    return this.rows.warnings(project.id, page);
  }
}
