import { BoundedMap } from '../../platform/values/bounded-map.js';
import { nearestName } from '../../platform/errors/nearest-name.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { QueryTooExpensive } from '../../platform/clickhouse/errors.js';
import { propertyOfPath, propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, empty, join, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { type Filter, type Operator, groupKey, leavesOf } from '../reading/filter.js';
import { notChecked, type QuestionWarningDto } from './question-warning.dto.js';
import { maxCompared, maxHints, maxQuoted, maxRemembered } from './warning-limits.js';

/** A property that a question names. */
export interface NamedProperty {
  readonly source: 'event' | 'person' | 'group';
  /** The index of the type of a `group`. */
  readonly groupType?: number;
  readonly key: string;
  readonly in: 'filter' | 'breakdown' | 'math' | 'sql';
}

/**
 * The most properties that are checked for one question, because the search for a property that does not exist reads its
 * column of all events.
 */
const maxChecked = 5;
/** The most time on the clock for the check; beside other work, the engine may spend only a small part of it on the check. */
const timeoutMs = 3_000;
/** The rows whose properties are compared with a name that is unknown. */
const comparedRows = 50_000;

/** Operators that each row without the property passes, so that filters with them do not show that a property is misspelt. */
const passedWithout: readonly Operator[] = ['is_not', 'not_icontains', 'not_regex', 'is_not_set', 'not_between'];

export const propertiesOfFilters = (filters: readonly Filter[]): NamedProperty[] =>
  filters.flatMap(leavesOf).flatMap((leaf) => {
    if (leaf.kind !== 'property' || leaf.source === 'event_metadata' || leaf.key === groupKey) return [];
    const { source, groupType, key } = leaf;
    return passedWithout.includes(leaf.operator) || leaf.negated
      ? []
      : [{ source, ...(groupType !== undefined && { groupType }), key, in: 'filter' as const }];
  });

const tables = { event: sql`events`, person: sql`persons`, group: sql`groups` } as const;
const otherSource = { event: 'person', person: 'event', group: 'event' } as const;

const column = sql`t.properties`;

/** Math needs a number, which may be sent as text. */
const value = ({ key, in: place }: NamedProperty): Sql =>
  place === 'math' ? sql`toFloat64OrNull(${propertyText(column, key)})` : propertyText(column, key);

/** Selects the properties that at least one row has, by their indexes in the list. */
const presentSql = (projectId: number, named: readonly NamedProperty[]): Sql =>
  join(
    named.map(
      (property, at) => sql`SELECT * FROM (SELECT ${unsigned(at)} AS place FROM ${tables[property.source]} AS t
      WHERE t.project_id = ${unsigned(projectId)}${ofType(property)} AND ${value(property)} IS NOT NULL LIMIT 1)`,
    ),
    sql` UNION ALL `,
  );

const ofType = ({ source, groupType }: NamedProperty): Sql =>
  source === 'group' && groupType !== undefined ? sql` AND t.group_type_index = ${unsigned(groupType)}` : empty;

const namesSql = (projectId: number, source: NamedProperty['source']): Sql => sql`
  SELECT arrayJoin(JSONAllPaths(properties)) AS path FROM (
    SELECT t.properties AS properties FROM ${tables[source]} AS t
    WHERE t.project_id = ${unsigned(projectId)} LIMIT ${unsigned(comparedRows)})
  GROUP BY path ORDER BY count() DESC, path LIMIT ${unsigned(maxCompared)}`;

/**
 * Finds the properties that a question names and that no event or person has: most are misspelt, or are looked for in events
 * instead of persons, or the other way round.
 */
export class UnknownProperties {
  /** Properties that were found. */
  private readonly found = new BoundedMap<string, true>(maxRemembered);

  constructor(private readonly clickhouse: ClickHouse) {}

  /** The projection must have everything that arrived before the question. */
  async warnings(project: ProjectContext, named: readonly NamedProperty[]): Promise<QuestionWarningDto[]> {
    const keyOf = ({ source, groupType, key, in: place }: NamedProperty): string =>
      `${project.id} ${source} ${groupType ?? ''} ${place === 'math' ? 'number' : 'any'} ${key}`;
    const distinct = new Map(named.map((property) => [keyOf(property), property]));
    const unseen = [...distinct].filter(([key]) => !this.found.has(key)).slice(0, maxChecked);
    if (unseen.length === 0) return [];
    try {
      const present = await this.present(
        project,
        unseen.map(([, property]) => property),
      );
      for (const [at, [key]] of unseen.entries()) if (present.has(at)) this.found.set(key, true);
      const unknown = unseen.flatMap(([, property], at) => (present.has(at) ? [] : [property]));
      return await this.explained(project, unknown);
    } catch (error) {
      if (!(error instanceof QueryTooExpensive)) throw error;
      return [notChecked([...new Set(unseen.map(([, { key }]) => key))])];
    }
  }

  private async present(project: ProjectContext, named: readonly NamedProperty[]): Promise<ReadonlySet<number>> {
    const rows = await this.ask<{ place: number }>(project, presentSql(project.id, named));
    return new Set(rows.map(({ place }) => place));
  }

  private async explained(project: ProjectContext, absent: readonly NamedProperty[]): Promise<QuestionWarningDto[]> {
    const inMath = absent.filter((property) => property.in === 'math');
    const texts = inMath.length === 0 ? new Set<number>() : await this.present(project, inMath.map(asAny));
    const withTexts = inMath.filter((_, at) => texts.has(at));
    const unknown = absent.filter((property) => !withTexts.includes(property));
    return [...withTexts.map(noNumber), ...(await this.misnamed(project, unknown))];
  }

  private async misnamed(project: ProjectContext, unknown: readonly NamedProperty[]): Promise<QuestionWarningDto[]> {
    if (unknown.length === 0) return [];
    const elsewhere = await this.present(
      project,
      unknown.map(({ source, ...named }) => asAny({ source: otherSource[source], ...named })),
    );
    const misspelt = unknown.filter((_, at) => !elsewhere.has(at)).slice(0, maxHints);
    const names = {
      event: misspelt.some(({ source }) => source === 'event') ? await this.names(project, 'event') : [],
      person: misspelt.some(({ source }) => source === 'person') ? await this.names(project, 'person') : [],
      group: misspelt.some(({ source }) => source === 'group') ? await this.names(project, 'group') : [],
    };
    return unknown.map((property, at) => {
      const known = misspelt.includes(property) ? names[property.source] : [];
      const hint = elsewhere.has(at) ? otherType(property) : nearestHint(property, known);
      const detail = `no ${property.source} has a property named ${property.key.slice(0, maxQuoted)}: ${hint}`;
      return { code: 'unknown_property', detail };
    });
  }

  private async names(project: ProjectContext, source: NamedProperty['source']): Promise<string[]> {
    const rows = await this.ask<{ path: string }>(project, namesSql(project.id, source));
    return rows.map(({ path }) => propertyOfPath(path));
  }

  private ask<Row>(project: ProjectContext, statement: Sql): Promise<Row[]> {
    return this.clickhouse.query<Row>(statement, { project, short: true, timeoutMs });
  }
}

const asAny = (named: NamedProperty): NamedProperty => ({ ...named, in: 'filter' });

const noNumber = ({ key }: NamedProperty): QuestionWarningDto => ({
  code: 'no_number',
  detail: `no event has a number in ${key.slice(0, maxQuoted)}, and math leaves out what is no number`,
});

const nearestHint = ({ source, key }: NamedProperty, known: readonly string[]): string => {
  const [outer = ''] = key.split('.');
  if (outer !== key && known.includes(outer)) return `${outer} is one property, and only SQL reads what is in it`;
  const nearest = nearestName(key, known);
  return nearest === null
    ? `GET catalogue/properties?kind=${source} lists those there are`
    : `did you mean ${nearest}?`;
};

const otherType = (named: NamedProperty): string => {
  const source = otherSource[named.source];
  const advice = {
    filter: `so name the type ${source}`,
    breakdown: `so set breakdown_type to ${source}`,
    math: 'and math takes properties of events',
    sql:
      source === 'person' ? `so write person.properties.${named.key.slice(0, maxQuoted)}` : 'so select it from events',
  };
  return `it is a property of ${source}s, ${advice[named.in]}`;
};
