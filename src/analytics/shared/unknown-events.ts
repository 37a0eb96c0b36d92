import { Injectable } from '@nestjs/common';
import { BoundedMap } from '../../common/bounded-map.js';
import { nearestName } from '../../common/http/nearest-name.js';
import { eventsOfProject } from '../../projection/actors.sql.js';
import { sql, type Sql } from '../../stores/clickhouse/sql.js';
import { list, text, unsigned } from '../../stores/clickhouse/values.js';
import { type QuestionWarningDto } from './insight-page.dto.js';
import { type QuestionScope } from './question-scopes.js';
import { Questions } from './questions.js';
import { eventNames, type Entity } from './entity.js';

const maxRemembered = 50_000;
/** The names among which the intended one is looked for. */
const maxCompared = 5000;
const maxQuoted = 100;

/** The names that the question has come first, so that they are found among any number of names. */
const namesSql = (projectId: number, named: readonly string[]): Sql => sql`
  SELECT toString(e.event) AS name FROM events AS e WHERE ${eventsOfProject(projectId)}
  GROUP BY e.event ORDER BY has(${list(text, named)}, name) DESC, count() DESC, name LIMIT ${unsigned(maxCompared)}`;

/** Finds the events that a question names and that have never arrived: most of them are misspelt, and all count 0. */
@Injectable()
export class UnknownEvents {
  /** Names that have arrived, so that a question is checked only for names that are new to this process. */
  private readonly arrived = new BoundedMap<string, true>(maxRemembered);

  constructor(private readonly questions: Questions) {}

  async warnings(scope: QuestionScope, entities: readonly Entity[]): Promise<QuestionWarningDto[]> {
    const keyOf = (name: string): string => `${scope.projectId} ${name}`;
    const named = entities.flatMap((entity) => eventNames([entity]) ?? []);
    const unseen = [...new Set(named)].filter((name) => !this.arrived.has(keyOf(name)));
    if (unseen.length === 0) return [];
    const rows = await this.questions.ask<{ name: string }>(scope, namesSql(scope.projectId, unseen));
    const known = new Set(rows.map(({ name }) => name));
    for (const name of unseen) if (known.has(name)) this.arrived.set(keyOf(name), true);
    return unseen.filter((name) => !known.has(name)).map((name) => warningOf(name, [...known]));
  }
}

const warningOf = (name: string, known: readonly string[]): QuestionWarningDto => {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? 'GET catalogue/events lists those that have' : `did you mean ${nearest}?`;
  return { code: 'unknown_event', detail: `no event named ${name.slice(0, maxQuoted)} has arrived: ${hint}` };
};
