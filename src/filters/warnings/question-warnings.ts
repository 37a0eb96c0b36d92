import { Injectable } from '@nestjs/common';
import { BoundedMap } from '../../platform/values/bounded-map.js';
import { nearestName } from '../../platform/errors/nearest-name.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { QueryTooExpensive } from '../../platform/clickhouse/errors.js';
import { type Sql, list, sql, text, unsigned } from '../../platform/clickhouse/sql.js';
import { type EventMatch, type Filter } from '../reading/filter.js';
import { type QuestionWarningDto, notChecked } from './question-warning.dto.js';
import { maxCompared, maxHints, maxQuoted, maxRemembered } from './warning-limits.js';
import { type NamedProperty, UnknownProperties, propertiesOfFilters } from './unknown-properties.js';

const maxWarnings = 10;

/**
 * Lists names of events that have arrived. The names in the question come first, so that they are found among any number of
 * others.
 */
const namesSql = (projectId: number, named: readonly string[]): Sql => sql`
  SELECT toString(e.event) AS name FROM events AS e WHERE e.project_id = ${unsigned(projectId)}
  GROUP BY e.event ORDER BY has(${list(text, named)}, name) DESC, count() DESC, name LIMIT ${unsigned(named.length + maxCompared)}`;

type AskingProject = Pick<ProjectContext, 'id' | 'signal'>;

/** Finds the events that a question names and that have never arrived: most of them are misspelt, and all count 0. */
export class UnknownEvents {
  /** Names that have arrived. */
  private readonly arrived = new BoundedMap<string, true>(maxRemembered);

  constructor(private readonly clickhouse: ClickHouse) {}

  /** The projection must have everything that arrived before the question. */
  async warnings(project: AskingProject, matches: readonly EventMatch[]): Promise<QuestionWarningDto[]> {
    const keyOf = (name: string): string => `${project.id} ${name}`;
    const named = new Set(matches.flatMap(({ event }) => (event === null ? [] : [event])));
    const unseen = [...named].filter((name) => !this.arrived.has(keyOf(name)));
    if (unseen.length === 0) return [];
    const known = await this.namesOf(project, unseen);
    if (known === null) return [notChecked(unseen.slice(0, maxWarnings))];
    for (const name of unseen) if (known.has(name)) this.arrived.set(keyOf(name), true);
    return warningsOf(
      unseen.filter((name) => !known.has(name)),
      [...known],
    );
  }

  /** Returns null if there are too many events to look through; the question is answered all the same. */
  private async namesOf(project: AskingProject, named: readonly string[]): Promise<ReadonlySet<string> | null> {
    try {
      const names = namesSql(project.id, named);
      const rows = await this.clickhouse.query<{ name: string }>(names, { project, short: true });
      return new Set(rows.map(({ name }) => name));
    } catch (error) {
      if (error instanceof QueryTooExpensive) return null;
      throw error;
    }
  }
}

/** Warns about the first ten unknown names. */
export const warningsOf = (unknown: readonly string[], known: readonly string[]): QuestionWarningDto[] =>
  unknown.slice(0, maxWarnings).map((name, at) => warningOf(name, at < maxHints ? known.slice(-maxCompared) : []));

const warningOf = (name: string, known: readonly string[]): QuestionWarningDto => {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? 'GET catalogue/events lists those that have' : `did you mean ${nearest}?`;
  return { code: 'unknown_event', detail: `no event named ${name.slice(0, maxQuoted)} has arrived: ${hint}` };
};

/** The names in a question. `properties` are the properties outside of filters, such as that of a breakdown. */
export interface NamedByQuestion {
  readonly matches: readonly EventMatch[];
  readonly filters: readonly Filter[];
  readonly properties?: readonly NamedProperty[];
}

const maxNotChecked = 10;

/** Finds names that have never arrived, which a question counts as 0. */
@Injectable()
export class QuestionWarnings {
  private readonly events: UnknownEvents;
  private readonly properties: UnknownProperties;

  constructor(clickhouse: ClickHouse) {
    this.events = new UnknownEvents(clickhouse);
    this.properties = new UnknownProperties(clickhouse);
  }

  /** The projection must have everything that arrived before the question. */
  async of(project: ProjectContext, named: NamedByQuestion): Promise<QuestionWarningDto[]> {
    const { matches, filters, properties = [] } = named;
    const found = await Promise.all([
      this.events.warnings(project, matches),
      this.properties.warnings(project, [...propertiesOfFilters(filters), ...properties]),
    ]);
    return found.flat();
  }
}

/** The warnings of a question whose names could not be looked for. */
export const withoutCheck = ({ matches, filters }: NamedByQuestion): QuestionWarningDto[] => {
  const names = [
    ...matches.flatMap(({ event }) => event ?? []),
    ...propertiesOfFilters(filters).map(({ key }) => key),
  ].slice(0, maxNotChecked);
  return names.length === 0 ? [] : [notChecked([...new Set(names)])];
};
