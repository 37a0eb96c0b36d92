import { Injectable } from '@nestjs/common';
import { type GrantedScope } from '../kernel/access/scopes.js';
import { type Requester } from '../kernel/access/author.js';
import { notFound } from '../platform/errors/problem.js';
import { type Slice } from '../platform/http/page.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { HiddenNames, type NameKind } from '../persons/values/hidden-names.js';
import { Projection } from '../kernel/projection/projection.js';
import { ClickHouse } from '../platform/clickhouse/client.js';
import { CatalogueProperties, type ListedProperties } from './properties/catalogue-properties.js';
import { eventCatalogueCountSql, eventCatalogueSql, type NameSelection } from './properties/catalogue.sql.js';
import {
  type CatalogueEventDto,
  type CataloguePropertiesQuery,
  type CataloguePropertyDto,
  type CatalogueQuery,
  type DefineEventBody,
  type DefinePropertyBody,
  type UsedByDto,
} from './catalogue.dto.js';
import { Definitions, undescribed, type DescribedName } from './names/definitions.js';
import { lastThirtyDays } from './properties/last-thirty-days.js';
import { UsersOfNames } from './names/users-of-names.js';

interface EventRow {
  readonly name: string;
  readonly volume: number;
  readonly first_seen: string;
  readonly last_seen: string;
  readonly total: number;
}

interface Selected {
  readonly search?: string;
  readonly hidden?: boolean;
  readonly limit: number;
  readonly offset: number;
  /** Only this name. */
  readonly name?: string;
}

/** Lists and describes the names of events and properties. */
@Injectable()
export class CatalogueService {
  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly properties: CatalogueProperties,
    private readonly definitions: Definitions,
    private readonly hiddenNames: HiddenNames,
    private readonly users: UsersOfNames,
  ) {}

  async events(
    project: ProjectContext,
    query: CatalogueQuery | Selected,
    granted: readonly GrantedScope[],
    now: Date,
  ): Promise<Slice<CatalogueEventDto>> {
    await this.projection.waitUntilFresh(project.id, now);
    const selection = await this.selectionOf(project, query);
    const rows = await this.clickhouse.query<EventRow>(
      eventCatalogueSql(project.id, lastThirtyDays(now), selection, query),
      { project },
    );
    const complete = await this.completing(project, 'event', rows, granted);
    const results = rows.map((row) => ({
      name: row.name,
      volume_30_days: row.volume,
      first_seen: row.first_seen,
      last_seen: row.last_seen,
      ...complete(row.name),
    }));
    return { count: await this.total(project, rows, query, selection), results };
  }

  async listProperties(
    project: ProjectContext,
    { kind, search, hidden, limit, offset }: CataloguePropertiesQuery,
    granted: readonly GrantedScope[],
    now: Date,
  ): Promise<Slice<CataloguePropertyDto> & Pick<ListedProperties, 'since'>> {
    await this.projection.waitUntilFresh(project.id, now);
    const { properties, since } = await this.properties.of(project, kind, now);
    const hiddenNames = new Set(hidden === undefined ? [] : await this.hiddenNames.of(project, `${kind}_property`));
    const part = search?.trim().toLowerCase() ?? '';
    const selected = properties.filter(
      ({ name }) => name.toLowerCase().includes(part) && (hidden === undefined || hiddenNames.has(name) === hidden),
    );
    const page = selected.slice(offset, offset + limit);
    const complete = await this.completing(project, `${kind}_property`, page, granted);
    const results = page.map((property) => ({ ...property, ...complete(property.name) }));
    return { count: selected.length, results, since };
  }

  async defineEvent(project: ProjectContext, body: DefineEventBody, author: Requester): Promise<CatalogueEventDto> {
    const one = { name: body.name, limit: 1, offset: 0 };
    const find = async () => (await this.events(project, one, author.scopes, author.now)).results[0];
    if (!(await find())) throw notFound(`there is no event named ${body.name}`);
    await this.definitions.define(project, 'event', body, author);
    const described = await find();
    if (!described) throw notFound(`there is no event named ${body.name}`);
    return described;
  }

  async defineProperty(
    project: ProjectContext,
    body: DefinePropertyBody,
    author: Requester,
  ): Promise<CataloguePropertyDto> {
    await this.projection.waitUntilFresh(project.id, author.now);
    const { properties } = await this.properties.of(project, body.kind, author.now);
    const property = properties.find(({ name }) => name === body.name);
    if (!property) throw notFound(`there is no property of ${body.kind}s named ${body.name}`);
    const kind: NameKind = `${body.kind}_property`;
    await this.definitions.define(project, kind, body, author);
    const complete = await this.completing(project, kind, [property], author.scopes);
    return { ...property, ...complete(property.name) };
  }

  private async selectionOf(project: ProjectContext, { search, hidden, ...more }: Selected): Promise<NameSelection> {
    const names = hidden === undefined ? [] : await this.hiddenNames.of(project, 'event');
    const part = search?.trim() ?? '';
    const only = more.name === undefined ? null : [more.name];
    return {
      search: part === '' ? null : part,
      only: hidden === true ? names : only,
      without: hidden === false ? names : [],
    };
  }

  /**
   * Returns the number of all selected names. A page after the last one has no row with this number, so the names are counted.
   */
  private async total(
    project: ProjectContext,
    [first]: readonly EventRow[],
    { offset }: Selected,
    selection: NameSelection,
  ): Promise<number> {
    if (first) return first.total;
    if (offset === 0) return 0;
    const sql = eventCatalogueCountSql(project.id, selection);
    const [row] = await this.clickhouse.query<{ total: number }>(sql, { project });
    return row?.total ?? 0;
  }

  /** Looks up what PostgreSQL knows about the names. */
  private async completing(
    project: ProjectContext,
    kind: NameKind,
    named: readonly { readonly name: string }[],
    granted: readonly GrantedScope[],
  ): Promise<(name: string) => DescribedName & { used_by: UsedByDto }> {
    const names = named.map(({ name }) => name);
    const [described, users] = await Promise.all([
      this.definitions.described(project, kind, names),
      this.users.of(project, kind, names, granted),
    ]);
    return (name) => ({
      ...(described.get(name) ?? undescribed),
      used_by: users.get(name) ?? { cohorts: [], insights: [], actions: [] },
    });
  }
}
