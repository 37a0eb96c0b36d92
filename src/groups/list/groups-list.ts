import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { sendList } from '../../platform/csv/send-list.js';
import { type KeysetPosition, type PageRequest, isKeysetPosition } from '../../platform/http/newest-first.js';
import { type Cursor, type KeysetSlice, type Page, cursorPageOf, decodeCursor } from '../../platform/http/page.dto.js';
import { connectionSlots } from '../../platform/postgres/connection.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { duringExport } from '../../platform/work/export-permits.js';
import { type GroupDto } from '../group.dto.js';
import { GroupsRepository } from '../reading/groups.repository.js';
import { groupCountSql, groupPageSql } from './content-pages.sql.js';
import { type GroupsFilter, type GroupsQuery } from './groups.query.js';
import { keyCountSql, keyPageSql } from './key-pages.sql.js';

/** A position in the list and its group; null when the group was deleted after the position was read. */
interface ListedGroup extends KeysetPosition {
  readonly group: GroupDto | null;
}

const nothing = { count: 0, records: [] };
const groupsPerStep = 500;

/**
 * Lists the groups of a type, newest first. PostgreSQL finds them by type and key, so that a group appears with the event that
 * made it; ClickHouse finds them by their contents.
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
  ) {}

  async send(
    request: Request,
    response: Response,
    project: ProjectContext,
    query: GroupsQuery,
    now: Date,
  ): Promise<void> {
    const cursor = decodeCursor(query.cursor, isKeysetPosition);
    const filter = await this.filterOf(project, query);
    if (filter !== null && isByContent(filter)) await this.projection.waitUntilFresh(project.id, now);
    const send = () =>
      sendList(request, response, query, {
        page: () => this.page(request, project, query, filter, cursor),
        all: () => this.all(project, filter),
        filename: 'groups.csv',
        columns: ['id', 'group_type_index', 'group_key', 'name', 'created_at', 'group_properties'],
      });
    await (query.format === 'csv' ? duringExport(project, send) : send());
  }

  /** Null when no group can match. */
  private async filterOf(project: ProjectContext, query: GroupsQuery): Promise<GroupsFilter | null> {
    const typeIndex = await this.groups.typeMeant(project, query.group_type_index);
    if (typeIndex === null) return null;
    const { group_key: key } = query;
    const actor = key === undefined ? null : await this.groups.actorOf(project, typeIndex, key);
    if (key !== undefined && actor === null) return null;
    return { typeIndex, actor, search: query.search?.trim() || null };
  }

  private async page(
    request: Request,
    project: ProjectContext,
    query: GroupsQuery,
    filter: GroupsFilter | null,
    cursor: Cursor | null,
  ): Promise<Page<GroupDto>> {
    const { limit, offset } = query;
    const slice = filter === null ? nothing : await this.slice(project, filter, { limit, offset, cursor });
    const keyOf = ({ micros, id }: KeysetPosition) => [micros, id];
    const page = cursorPageOf(request, query, cursor, slice, keyOf, ({ group }: ListedGroup) => group);
    return { ...page, results: page.results.filter((group) => group !== null) };
  }

  private async slice(
    project: ProjectContext,
    filter: GroupsFilter,
    request: PageRequest,
  ): Promise<KeysetSlice<ListedGroup>> {
    const [positions, count] = await Promise.all([
      this.positions(project, filter, request),
      this.count(project, filter),
    ]);
    const found = await this.groups.withIds(
      project,
      positions.map(({ id }) => id),
    );
    return { count, records: positions.map((position) => ({ ...position, group: found.get(position.id) ?? null })) };
  }

  private async *all(project: ProjectContext, filter: GroupsFilter | null): AsyncGenerator<GroupDto> {
    let cursor: Cursor | null = null;
    while (filter !== null) {
      const request: PageRequest = { limit: groupsPerStep, offset: 0, cursor };
      const positions = await this.positions(project, filter, request);
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
  ): Promise<readonly KeysetPosition[]> {
    const { id: projectId } = project;
    if (isByContent(filter))
      return this.clickhouse.query<KeysetPosition>(groupPageSql({ projectId, filter }, request), { project });
    const statement = keyPageSql(projectId, filter, request);
    return (await this.inSlot(project, () => this.postgres.query<KeysetPosition>(statement))).rows;
  }

  private async count(project: ProjectContext, filter: GroupsFilter): Promise<number> {
    const { id: projectId } = project;
    const rows = isByContent(filter)
      ? await this.clickhouse.query<{ count: number }>(groupCountSql({ projectId, filter }), { project })
      : (await this.postgres.query<{ count: string }>(keyCountSql(projectId, filter))).rows;
    return Number(rows[0]?.count ?? 0);
  }
}

const isByContent = ({ search }: GroupsFilter): boolean => search !== null;
