import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { noCohorts } from '../../filters/compile/compile.sql.js';
import { type Sql } from '../../platform/clickhouse/sql.js';
import { FilterChecks } from '../../filters/checks/filter-checks.js';
import { isEverything } from '../../filters/reading/filter.js';
import { type WarnedPage } from '../../filters/warnings/question-warning.dto.js';
import { QuestionWarnings } from '../../filters/warnings/question-warnings.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { sendList } from '../../platform/csv/send-list.js';
import { type KeysetPosition, type PageRequest, isKeysetPosition } from '../../platform/http/newest-first.js';
import { type Cursor, type KeysetSlice, type Slice, cursorPageOf, decodeCursor } from '../../platform/http/page.dto.js';
import { connectionSlots } from '../../platform/postgres/connection.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { duringExport } from '../../platform/work/export-permits.js';
import { type GroupDto } from '../group.dto.js';
import { GroupsRepository } from '../reading/groups.repository.js';
import { groupCountSql, groupPageSql } from './content-pages.sql.js';
import { type GroupsFilter, type GroupsQuery, readCohort, readGroupFilter } from './groups.query.js';
import { keyCountSql, keyPageSql } from './key-pages.sql.js';

/** A position in the list and its group; null when the group was deleted after the position was read. */
interface ListedGroup extends KeysetPosition {
  readonly group: GroupDto | null;
}

/** A list request whose parameters are read and checked; without a filter, no group can match. */
interface ListRequest {
  readonly filter: GroupsFilter | null;
  readonly cursor: Cursor | null;
  readonly now: Date;
}

const nothing = { count: 0, records: [] };
const groupsPerStep = 500;

/**
 * Lists the groups of a type, newest first. PostgreSQL finds them by type and key, so that a group appears with the event that
 * made it; ClickHouse finds them by their contents. `among` limits a list to the groups whose ids a statement selects.
 */
@Injectable()
export class GroupsList {
  /** Limits the pages read at the same time, because a page far from the start takes long. */
  private readonly inSlot = connectionSlots(6, { alone: 4, crowded: 3 });

  constructor(
    private readonly postgres: Postgres,
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly groups: GroupsRepository,
    private readonly filterChecks: FilterChecks,
    private readonly warnings: QuestionWarnings,
  ) {}

  async send(
    request: Request,
    response: Response,
    project: ProjectContext,
    query: GroupsQuery,
    now: Date,
    among: Sql | null = null,
  ): Promise<void> {
    const cursor = decodeCursor(query.cursor, isKeysetPosition);
    const filter = await this.filterOf(project, query, among);
    if (filter !== null && isByContent(filter)) await this.projection.waitUntilFresh(project.id, now);
    const send = () =>
      sendList(request, response, query, {
        page: () => this.page(request, project, query, { filter, cursor, now }),
        all: () => this.all(project, filter, now),
        filename: 'groups.csv',
        columns: ['id', 'group_type_index', 'group_key', 'name', 'created_at', 'group_properties'],
      });
    await (query.format === 'csv' ? duringExport(project, send) : send());
  }

  /** A part of the list, for other forms of it. */
  async slice(project: ProjectContext, query: GroupsQuery, now: Date): Promise<Slice<GroupDto>> {
    const filter = await this.filterOf(project, query, null);
    if (filter === null) return { count: 0, results: [] };
    if (isByContent(filter)) await this.projection.waitUntilFresh(project.id, now);
    const { limit, offset } = query;
    const { count, records } = await this.records(project, filter, { limit, offset, cursor: null }, now);
    return { count, results: records.slice(0, limit).flatMap(({ group }) => group ?? []) };
  }

  /** Refuses a query that would have no answer. */
  async check(project: ProjectContext, query: GroupsQuery): Promise<void> {
    await this.filterOf(project, query, null);
  }

  /** Null when no group can match. */
  private async filterOf(project: ProjectContext, query: GroupsQuery, among: Sql | null): Promise<GroupsFilter | null> {
    const typeIndex = await this.groups.typeMeant(project, query.group_type_index);
    if (typeIndex === null) return null;
    const { group_key: key } = query;
    const actor = key === undefined ? null : await this.groups.actorOf(project, typeIndex, key);
    if (key !== undefined && actor === null) return null;
    const properties = readGroupFilter(query.properties, typeIndex);
    const cohort = readCohort(query);
    const [ofProperties, ofCohort] = await Promise.all([
      this.filterChecks.resolve(project, properties, 'properties', { tested: typeIndex }),
      cohort === null ? noCohorts : this.filterChecks.resolve(project, cohort, 'cohort', { tested: typeIndex }),
    ]);
    const cohorts = new Map([...ofProperties, ...ofCohort]);
    return { typeIndex, actor, search: query.search?.trim() || null, properties, cohort, among, cohorts };
  }

  private async page(
    request: Request,
    project: ProjectContext,
    query: GroupsQuery,
    { filter, cursor, now }: ListRequest,
  ): Promise<WarnedPage<GroupDto>> {
    const { limit, offset } = query;
    const slice = filter === null ? nothing : await this.records(project, filter, { limit, offset, cursor }, now);
    const keyOf = ({ micros, id }: KeysetPosition) => [micros, id];
    const page = cursorPageOf(request, query, cursor, slice, keyOf, ({ group }: ListedGroup) => group);
    const results = page.results.filter((group) => group !== null);
    if (page.count > 0 || filter === null) return { ...page, results };
    const warnings = await this.warnings.of(project, { matches: [], filters: [filter.properties] });
    return { ...page, results, ...(warnings.length > 0 && { warnings }) };
  }

  private async records(
    project: ProjectContext,
    filter: GroupsFilter,
    request: PageRequest,
    now: Date,
  ): Promise<KeysetSlice<ListedGroup>> {
    const [positions, count] = await Promise.all([
      this.positions(project, filter, request, now),
      this.count(project, filter, now),
    ]);
    const found = await this.groups.withIds(
      project,
      positions.map(({ id }) => id),
    );
    return { count, records: positions.map((position) => ({ ...position, group: found.get(position.id) ?? null })) };
  }

  private async *all(project: ProjectContext, filter: GroupsFilter | null, now: Date): AsyncGenerator<GroupDto> {
    let cursor: Cursor | null = null;
    while (filter !== null) {
      const request: PageRequest = { limit: groupsPerStep, offset: 0, cursor };
      const positions = await this.positions(project, filter, request, now);
      const step = positions.slice(0, groupsPerStep);
      const found = await this.groups.withIds(
        project,
        step.map(({ id }) => id),
      );
      for (const { id } of step) {
        const group = found.get(id);
        if (group) yield group;
      }
      const last = step.at(-1);
      if (positions.length <= groupsPerStep || !last) return;
      cursor = { direction: 'after', key: [last.micros, last.id] };
    }
  }

  private async positions(
    project: ProjectContext,
    filter: GroupsFilter,
    request: PageRequest,
    now: Date,
  ): Promise<readonly KeysetPosition[]> {
    if (isByContent(filter)) {
      const page = groupPageSql(questionOf(project, filter, now), request);
      return this.clickhouse.query<KeysetPosition>(page, { project });
    }
    const statement = keyPageSql(project.id, filter, request);
    return (await this.inSlot(project, () => this.postgres.query<KeysetPosition>(statement))).rows;
  }

  private async count(project: ProjectContext, filter: GroupsFilter, now: Date): Promise<number> {
    const rows = isByContent(filter)
      ? await this.clickhouse.query<{ count: number }>(groupCountSql(questionOf(project, filter, now)), { project })
      : (await this.postgres.query<{ count: string }>(keyCountSql(project.id, filter))).rows;
    return Number(rows[0]?.count ?? 0);
  }
}

const isByContent = ({ search, properties, cohort, among }: GroupsFilter): boolean =>
  search !== null || !isEverything(properties) || cohort !== null || among !== null;

const questionOf = ({ id: projectId, timezone }: ProjectContext, filter: GroupsFilter, now: Date) => ({
  projectId,
  timezone,
  now,
  filter,
});
