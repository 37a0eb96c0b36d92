import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Requester } from '../../kernel/access/author.js';
import { assertScopes } from '../../kernel/access/scopes.js';
import { Projection } from '../../kernel/projection/projection.js';
import { propertyOfPath } from '../../kernel/projection/schema/property.sql.js';
import { HiddenNames, type NameKind } from '../../persons/values/hidden-names.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { notFound, type Problem } from '../../platform/errors/problem.js';
import { assertUnchanged } from '../../platform/http/read-only-fields.js';
import { type Slice } from '../../platform/http/page.dto.js';
import { nameUuid } from '../../platform/values/ids.js';
import { type PropertyKind } from '../catalogue.dto.js';
import {
  type EventDefinitionDto,
  type EventDefinitionsQuery,
  type PropertyDefinitionDto,
  type PropertyDefinitionsQuery,
  type UpdateEventDefinitionBody,
  type UpdatePropertyDefinitionBody,
} from '../definition.dto.js';
import { CatalogueProperties, type ListedProperty } from '../properties/catalogue-properties.js';
import {
  eventCatalogueCountSql,
  eventCatalogueSql,
  allEventNamesSql,
  propertiesOfEventsSql,
  type NameSelection,
} from '../properties/catalogue.sql.js';
import { lastThirtyDays } from '../properties/last-thirty-days.js';
import { Definitions, undescribed, type DescribedName } from './definitions.js';

/** The most events whose properties a list by names of events reads. */
const eventsRead = 100_000;

interface EventRow {
  readonly name: string;
  readonly volume: number;
  readonly first_seen: string;
  readonly last_seen: string;
  readonly total: number;
}

const typeNames = { text: 'String', number: 'Numeric', boolean: 'Boolean' } as const;

const namespace = Buffer.from('6b6f686f727420646566696e6974696f', 'hex');

/** The reference product stores definitions under ids. Here the name is the identity, and the id follows from it. */
export const definitionId = (kind: NameKind, name: string): string => nameUuid(namespace, `${kind} ${name}`);

const noDefinition = (id: string): Problem => notFound(`there is no definition ${id}`);

/** The catalogue in the form of the reference product's definitions of events and properties. */
@Injectable()
export class NamedDefinitions {
  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly properties: CatalogueProperties,
    private readonly definitions: Definitions,
    private readonly hiddenNames: HiddenNames,
  ) {}

  async events(project: ProjectContext, query: EventDefinitionsQuery, now: Date): Promise<Slice<EventDefinitionDto>> {
    await this.projection.waitUntilFresh(project.id, now);
    const without = query.exclude_hidden ? await this.hiddenNames.of(project, 'event') : [];
    return this.eventsOf(project, { search: query.search?.trim() || null, only: null, without }, query, now);
  }

  async event(project: ProjectContext, id: string, now: Date): Promise<EventDefinitionDto> {
    await this.projection.waitUntilFresh(project.id, now);
    const rows = await this.clickhouse.query<{ name: string }>(allEventNamesSql(project.id), { project });
    const found = rows.find(({ name }) => definitionId('event', name) === id.toLowerCase());
    if (!found) throw noDefinition(id);
    const selection = { search: null, only: [found.name], without: [] };
    const [definition] = (await this.eventsOf(project, selection, { limit: 1, offset: 0 }, now)).results;
    if (!definition) throw noDefinition(id);
    return definition;
  }

  async updateEvent(
    project: ProjectContext,
    id: string,
    body: UpdateEventDefinitionBody,
    author: Requester,
  ): Promise<EventDefinitionDto> {
    const before = await this.event(project, id, author.now);
    assertUnchanged(body, before);
    const { name } = before;
    await this.definitions.define(project, 'event', { ...changesIn(body), name }, author);
    return this.event(project, id, author.now);
  }

  async listProperties(
    project: ProjectContext,
    query: PropertyDefinitionsQuery,
    { scopes, now }: Pick<Requester, 'scopes' | 'now'>,
  ): Promise<Slice<PropertyDefinitionDto>> {
    const { type } = query;
    if (type !== 'event' && type !== 'person') return { count: 0, results: [] };
    if (type === 'person') assertScopes(scopes, ['person:read']);
    await this.projection.waitUntilFresh(project.id, now);
    const hidden = new Set(query.exclude_hidden ? await this.hiddenNames.of(project, `${type}_property`) : []);
    const seen = type === 'event' ? await this.propertiesOf(project, query.event_names ?? [], now) : null;
    const isSelected = selectionOf(query);
    const { properties } = await this.properties.of(project, type, now);
    const selected = properties.filter(
      (property) =>
        isSelected(property) &&
        !hidden.has(property.name) &&
        (seen === null || !query.filter_by_event_names || seen.has(property.name)),
    );
    const page = selected.slice(query.offset, query.offset + query.limit);
    return { count: selected.length, results: await this.described(project, type, page, seen) };
  }

  async property(
    project: ProjectContext,
    id: string,
    { scopes, now }: Pick<Requester, 'scopes' | 'now'>,
  ): Promise<PropertyDefinitionDto> {
    await this.projection.waitUntilFresh(project.id, now);
    for (const type of ['event', 'person'] as const) {
      const { properties } = await this.properties.of(project, type, now);
      const found = properties.find(({ name }) => definitionId(`${type}_property`, name) === id.toLowerCase());
      if (!found) continue;
      if (type === 'person') assertScopes(scopes, ['person:read']);
      const [definition] = await this.described(project, type, [found], null);
      if (definition) return definition;
    }
    throw noDefinition(id);
  }

  async updateProperty(
    project: ProjectContext,
    id: string,
    body: UpdatePropertyDefinitionBody,
    author: Requester,
  ): Promise<PropertyDefinitionDto> {
    const before = await this.property(project, id, author);
    assertUnchanged(body, before);
    const { name, type } = before;
    await this.definitions.define(project, `${type}_property`, { ...changesIn(body), name }, author);
    return this.property(project, id, author);
  }

  private async eventsOf(
    project: ProjectContext,
    selection: NameSelection,
    page: { readonly limit: number; readonly offset: number },
    now: Date,
  ): Promise<Slice<EventDefinitionDto>> {
    const sql = eventCatalogueSql(project.id, lastThirtyDays(now), selection, page);
    const rows = await this.clickhouse.query<EventRow>(sql, { project });
    const described = await this.definitions.described(
      project,
      'event',
      rows.map(({ name }) => name),
    );
    const results = rows.map((row) => ({
      ...named('event', row.name, described),
      created_at: row.first_seen,
      last_seen_at: row.last_seen,
      volume_30_day: row.volume,
    }));
    return { count: rows[0]?.total ?? (await this.countOf(project, selection, page.offset)), results };
  }

  /** A page after the last one has no row with the number of all names. */
  private async countOf(project: ProjectContext, selection: NameSelection, offset: number): Promise<number> {
    if (offset === 0) return 0;
    const [row] = await this.clickhouse.query<{ total: number }>(eventCatalogueCountSql(project.id, selection), {
      project,
    });
    return row?.total ?? 0;
  }

  /** Null when no events are named. */
  private async propertiesOf(
    project: ProjectContext,
    events: readonly string[],
    now: Date,
  ): Promise<ReadonlySet<string> | null> {
    if (events.length === 0) return null;
    const sql = propertiesOfEventsSql(project.id, lastThirtyDays(now), events, eventsRead);
    const rows = await this.clickhouse.query<{ path: string }>(sql, { project });
    return new Set(rows.map(({ path }) => propertyOfPath(path)));
  }

  private async described(
    project: ProjectContext,
    type: PropertyKind,
    properties: readonly ListedProperty[],
    seen: ReadonlySet<string> | null,
  ): Promise<PropertyDefinitionDto[]> {
    const kind: NameKind = `${type}_property`;
    const described = await this.definitions.described(
      project,
      kind,
      properties.map(({ name }) => name),
    );
    return properties.map(({ name, types }) => ({
      ...named(kind, name, described),
      type,
      is_numerical: isNumerical(types),
      property_type: types.length === 1 ? (typeNames[types[0] as keyof typeof typeNames] ?? null) : null,
      is_seen_on_filtered_events: seen === null ? null : seen.has(name),
    }));
  }
}

const named = (kind: NameKind, name: string, described: ReadonlyMap<string, DescribedName>) => {
  const { description, hidden, tags } = described.get(name) ?? undescribed;
  return { id: definitionId(kind, name), name, description, tags, hidden };
};

/** Without the read-only values that were sent back. */
const changesIn = ({ description, hidden, tags }: UpdateEventDefinitionBody): UpdateEventDefinitionBody => ({
  ...(description === undefined ? {} : { description }),
  ...(hidden === undefined ? {} : { hidden }),
  ...(tags === undefined ? {} : { tags }),
});

const isNumerical = (types: readonly string[]): boolean => types.length === 1 && types[0] === 'number';

const selectionOf = (query: PropertyDefinitionsQuery): ((property: ListedProperty) => boolean) => {
  const part = query.search?.trim().toLowerCase() ?? '';
  const only = query.properties?.length ? new Set(query.properties) : null;
  const without = new Set(query.excluded_properties);
  return ({ name, types }) =>
    name.toLowerCase().includes(part) &&
    (only === null || only.has(name)) &&
    !without.has(name) &&
    !(query.exclude_core_properties && name.startsWith('$')) &&
    (query.is_numerical === undefined || isNumerical(types) === query.is_numerical) &&
    (query.is_feature_flag === undefined || name.startsWith('$feature/') === query.is_feature_flag);
};
