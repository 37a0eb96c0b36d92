import { Injectable } from '@nestjs/common';
import { holds, type GrantedScope } from '../../kernel/access/scopes.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type NameKind } from '../../persons/values/hidden-names.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, joinedSql, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type UsedByDto } from '../catalogue.dto.js';

type User = keyof UsedByDto;

const scopes = { cohorts: 'cohort:read', insights: 'insight:read', actions: 'action:read' } as const;

const perName = 20;

/** Matches filters on events. In steps of actions and in criteria of cohorts, a filter without a type is one on the event. */
const ofEvent = '(@.type == "event" || !exists(@.type))';

/** The JSON paths at which definitions of cohorts and steps of actions name events and properties. */
const paths: Readonly<Record<NameKind, { readonly cohorts: readonly string[]; readonly actions: readonly string[] }>> =
  {
    event: {
      cohorts: [
        '$.** ? (@.type == "behavioral" && !(@.event_type == "actions")).key',
        '$.** ? (@.type == "behavioral" && !(@.seq_event_type == "actions")).seq_event',
      ],
      actions: ['$[*].event'],
    },
    event_property: {
      cohorts: [`$.**.event_filters.** ? ${ofEvent}.key`, `$.**.seq_event_filters.** ? ${ofEvent}.key`],
      actions: [`$[*].properties.** ? ${ofEvent}.key`],
    },
    person_property: {
      cohorts: ['$.** ? (@.type == "person").key'],
      actions: ['$[*].properties.** ? (@.type == "person").key'],
    },
  };

const namesAt = (json: PgSql, paths: readonly string[]): PgSql =>
  joinedSql(
    paths.map((path) => pgSql`SELECT DISTINCT jsonb_path_query(${json}, ${bound(path)}::jsonpath) #>> '{}' AS name`),
    pgSql` UNION `,
  );

const columnOf = {
  event: pgSql`r.events`,
  event_property: pgSql`r.event_properties`,
  person_property: pgSql`r.person_properties`,
} as const;

const statements = (kind: NameKind, { id }: ProjectContext, names: readonly string[]): Record<User, PgSql> => {
  const isNamed = pgSql`named.name = ANY (${bound(names)}::text[])`;
  return {
    cohorts: pgSql`
      SELECT named.name AS used, 'cohorts' AS kind, r.id, r.name
      FROM cohorts AS r, LATERAL (${namesAt(pgSql`r.filters`, paths[kind].cohorts)}) AS named
      WHERE r.project_id = ${bound(id)} AND NOT r.deleted AND ${isNamed}`,
    insights: pgSql`
      SELECT named.name AS used, 'insights' AS kind, r.id, r.name
      FROM insights AS r, LATERAL unnest(${columnOf[kind]}) AS named (name)
      WHERE r.project_id = ${bound(id)} AND ${isNamed}`,
    actions: pgSql`
      SELECT named.name AS used, 'actions' AS kind, r.id, r.name
      FROM actions AS r, LATERAL (${namesAt(pgSql`r.steps`, paths[kind].actions)}) AS named
      WHERE r.project_id = ${bound(id)} AND ${isNamed}`,
  };
};

interface Row {
  readonly used: string;
  readonly kind: User;
  readonly id: number;
  readonly name: string;
}

/** Finds the cohorts, saved questions and actions that name an event or a property. */
@Injectable()
export class UsersOfNames {
  constructor(private readonly postgres: Postgres) {}

  /** Finds the records that use each name, except kinds of records that the caller may not read. */
  async of(
    project: ProjectContext,
    kind: NameKind,
    names: readonly string[],
    granted: readonly GrantedScope[],
  ): Promise<ReadonlyMap<string, UsedByDto>> {
    const found = new Map<string, UsedByDto>(names.map((name) => [name, { cohorts: [], insights: [], actions: [] }]));
    const all = statements(kind, project, names);
    const readable = (Object.keys(scopes) as User[]).filter((user) => holds(granted, scopes[user]));
    if (names.length === 0 || readable.length === 0) return found;
    const { rows } = await this.postgres.query<Row>(
      pgSql`
        SELECT used, kind, id, name FROM (
          SELECT *, row_number() OVER (PARTITION BY used, kind ORDER BY id) AS place
          FROM (${joinedSql(
            readable.map((user) => all[user]),
            pgSql` UNION ALL `,
          )}) AS each_use
        ) AS placed WHERE place <= ${bound(perName)} ORDER BY id`,
    );
    for (const { used, kind: user, id, name } of rows) found.get(used)?.[user].push({ id, name });
    return found;
  }
}
