import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Projection } from '../../kernel/projection/projection.js';
import { propertyOfPath } from '../../kernel/projection/schema/property.sql.js';
import { type CountedValue, valueOf } from '../../kernel/projection/values/counted-value.js';
import { propertyValueCountSql, propertyValuesSql } from '../../kernel/projection/values/values.sql.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type Slice } from '../../platform/http/page.dto.js';
import { GroupsRepository } from '../reading/groups.repository.js';
import { groupsOfType, propertiesByTypeSql } from './group-properties.sql.js';
import {
  type GroupProperties,
  type GroupPropertyDto,
  type GroupPropertyValueDto,
  type GroupPropertyValuesQuery,
} from './values.dto.js';

export const propertiesPerType = 1000;

/** Lists the properties of groups and their values, most frequent first. */
@Injectable()
export class GroupPropertiesService {
  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly groups: GroupsRepository,
  ) {}

  async byType(project: ProjectContext, now: Date): Promise<GroupProperties> {
    const types = await this.groups.types(project);
    await this.projection.waitUntilFresh(project.id, now);
    const rows = await this.clickhouse.query<{ type: string; path: string; count: number }>(
      propertiesByTypeSql(project.id, propertiesPerType),
      { project },
    );
    const byType = new Map<string, GroupPropertyDto[]>(types.map(({ group_type_index: index }) => [String(index), []]));
    for (const { type, path, count } of rows) byType.get(type)?.push({ name: propertyOfPath(path), count });
    return Object.fromEntries(byType);
  }

  async values(
    project: ProjectContext,
    query: GroupPropertyValuesQuery,
    now: Date,
  ): Promise<Slice<GroupPropertyValueDto>> {
    await this.projection.waitUntilFresh(project.id, now);
    const owners = groupsOfType(query.group_type_index);
    const part = query.value === undefined || query.value === '' ? null : query.value;
    const values = propertyValuesSql(project.id, owners, query.key, part, query);
    const rows = await this.clickhouse.query<CountedValue>(values, { project });
    const results = rows.map((row) => ({ name: valueOf(row), count: row.count }));
    if (rows[0] || query.offset === 0) return { count: rows[0]?.total ?? 0, results };
    const total = propertyValueCountSql(project.id, owners, query.key, part);
    const [counted] = await this.clickhouse.query<{ total: number }>(total, { project });
    return { count: counted?.total ?? 0, results };
  }
}
