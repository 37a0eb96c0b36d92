import { Injectable } from '@nestjs/common';
import { type Slice } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { propertyOfPath, propertyPath } from '../../kernel/projection/schema/property.sql.js';
import { type Sql } from '../../platform/clickhouse/sql.js';
import { type CountedValue, valueOf } from '../../kernel/projection/values/counted-value.js';
import { HiddenNames } from './hidden-names.js';
import { type PropertyKeyDto, type PropertyValueDto, type PropertyValuesQuery } from './values.dto.js';
import {
  propertyKeyCountSql,
  propertyKeysSql,
  propertyValueCountSql,
  propertyValuesSql,
  propertyOwners,
} from '../../kernel/projection/values/values.sql.js';

interface Counted {
  readonly count: number;
  readonly total: number;
}

interface KeysPage {
  readonly limit: number;
  readonly offset: number;
  readonly include_hidden: boolean;
}

type ValueRow = Counted & CountedValue;

/** Lists properties and their values, most frequent first. */
@Injectable()
export class PropertyValues {
  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly hiddenNames: HiddenNames,
  ) {}

  /** Lists the property keys of persons. */
  async keys(project: ProjectContext, page: KeysPage, now: Date): Promise<Slice<PropertyKeyDto>> {
    await this.projection.waitUntilFresh(project.id, now);
    return this.keysOf(project, 'person', null, page);
  }

  /** Lists the values of a key; without a key, the keys themselves. */
  async list(
    project: ProjectContext,
    query: Omit<PropertyValuesQuery, 'format'>,
    now: Date,
  ): Promise<Slice<PropertyValueDto>> {
    await this.projection.waitUntilFresh(project.id, now);
    const { key, type } = query;
    const part = query.value === undefined || query.value === '' ? null : query.value;
    if (key === undefined || key === '') return this.keysOf(project, type, part, query);
    const rows = await this.clickhouse.query<ValueRow>(
      propertyValuesSql(project.id, propertyOwners[type], key, part, query),
      {
        project,
      },
    );
    const count = await this.total(
      project,
      rows,
      query,
      propertyValueCountSql(project.id, propertyOwners[type], key, part),
    );
    return { count, results: rows.map((row) => ({ name: valueOf(row), count: row.count })) };
  }

  private async keysOf(
    project: ProjectContext,
    type: PropertyValuesQuery['type'],
    part: string | null,
    page: KeysPage,
  ): Promise<Slice<PropertyKeyDto>> {
    const hidden = page.include_hidden ? [] : await this.hiddenNames.of(project, `${type}_property`);
    const selection = { owners: propertyOwners[type], part, hidden: hidden.map(propertyPath) };
    const rows = await this.clickhouse.query<Counted & { path: string }>(propertyKeysSql(project.id, selection, page), {
      project,
    });
    const count = await this.total(project, rows, page, propertyKeyCountSql(project.id, selection));
    return { count, results: rows.map((row) => ({ name: propertyOfPath(row.path), count: row.count })) };
  }

  /** Returns the number of all results. A page after the last one has no row that carries it, so it is counted. */
  private async total(
    project: ProjectContext,
    rows: readonly Counted[],
    { offset }: { readonly offset: number },
    count: Sql,
  ): Promise<number> {
    if (rows[0]) return rows[0].total;
    if (offset === 0) return 0;
    const [row] = await this.clickhouse.query<{ total: number }>(count, { project });
    return row?.total ?? 0;
  }
}
