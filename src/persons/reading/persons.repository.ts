import { textOf } from '../../kernel/projection/search-text.js';
import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { invalidInput, notFound } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { TickBatcher } from '../../platform/work/shared-work.js';
import { loadOwners } from '../../kernel/identity/load.js';
import { countDistinctIds } from '../../kernel/identity/distinct-id-counts.js';
import { type PersonDto } from '../person.dto.js';
import { missingPerson, refuseMerged } from './named-persons.js';
import { type PersonRef, personRef } from '../../kernel/identity/person-ref.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type Person } from '../../kernel/identity/person.entity.js';
import { type PgSql, bound, pgSql } from '../../platform/postgres/sql.js';

/**
 * Five groups of lower-case letters and digits: the shape of every UUID, and of the ids that SDKs generate for unknown
 * visitors.
 */
const generated = /^[a-z0-9]+(-[a-z0-9]+){4}$/;

export const looksGenerated = (distinctId: string): boolean => generated.test(distinctId);

/** Puts ids that a human may have chosen first; otherwise keeps the order. */
export const humanFirst = (distinctIds: readonly string[]): string[] => [
  ...distinctIds.filter((id) => !looksGenerated(id)),
  ...distinctIds.filter(looksGenerated),
];

interface Nameable {
  readonly id: number;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The ids that a human may have chosen come first. */
  readonly distinctIds: readonly string[];
}

export const personName = (displayProperties: readonly string[], person: Nameable): string => {
  for (const key of displayProperties) {
    const name = textOf(Object.hasOwn(person.properties, key) ? person.properties[key] : null).trim();
    if (name !== '') return name;
  }
  return person.distinctIds[0] ?? String(person.id);
};

export const distinctIdsInRecord = 1000;
export const distinctIdsInList = 100;
/** As many as in lists, because a spreadsheet cell has no room for more. */
export const csvDistinctIds = distinctIdsInList;

type PersonRow = Stored<Pick<Person, 'id' | 'uuid' | 'isIdentified' | 'createdAt'>> & {
  readonly properties: Record<string, unknown>;
  /** The first distinct ids. */
  readonly distinct_ids: string[];
  /** The first ids that a human may have chosen. Read only for a person with more ids than are listed. */
  readonly human_ids: string[] | null;
  /** Null when the person has too many ids to count them in the same statement. */
  readonly distinct_id_count: string | null;
};

/** The parameters by which a request may name one person. */
interface PersonNames {
  readonly person_id?: string;
  readonly distinct_id?: string;
}

type Project = ReturnType<typeof bound>;

const idsOf = (project: Project): PgSql =>
  pgSql`SELECT d.distinct_id FROM person_distinct_ids AS d WHERE d.project_id = ${project} AND d.person_id = p.id`;

/**
 * The condition must be that of the partial index on these ids: one person has dozens of ids that a human chose, but any number
 * of generated ones.
 */
const humanIdsOf = (project: Project): PgSql =>
  pgSql`${idsOf(project)} AND d.distinct_id !~ '^[a-z0-9]+(-[a-z0-9]+){4}$'`;

/** Up to a thousand ids are counted in the statement that reads the person. */
const tooManyToCount = pgSql`1001`;

/** OFFSET 0 keeps PostgreSQL from reading the ids again for each use of them. */
const firstIds = (project: Project, most: PgSql): PgSql =>
  pgSql`CROSS JOIN LATERAL (SELECT ARRAY(${idsOf(project)} ORDER BY d.position LIMIT ${most}) AS ids OFFSET 0) AS f`;

const listedColumns = (project: Project, most: PgSql): PgSql => pgSql`
  p.id, p.uuid, p.properties, p.is_identified, p.created_at, f.ids AS distinct_ids,
  CASE WHEN cardinality(f.ids) = ${most} THEN ARRAY(${humanIdsOf(project)} ORDER BY d.position LIMIT ${most}) END AS human_ids`;

/** Selects the input of `listedIds`, without the number of all ids. `source` names the persons `p`. */
export const withSomeDistinctIds = (project: ProjectContext, source: PgSql, most: PgSql): PgSql => {
  const id = bound(project.id);
  return pgSql`SELECT ${listedColumns(id, most)} FROM ${source} ${firstIds(id, most)}`;
};

const withDistinctIds = (project: Project, source: PgSql, limit: number): PgSql => {
  const most = pgSql`${bound(limit)}`;
  return pgSql`
    SELECT ${listedColumns(project, most)},
      CASE WHEN cardinality(f.ids) < ${most} THEN cardinality(f.ids) ELSE coalesce(
        (SELECT c.distinct_ids FROM distinct_id_counts AS c WHERE c.project_id = ${project} AND c.person_id = p.id),
        (SELECT nullif(count(*), ${tooManyToCount}) FROM (${idsOf(project)} LIMIT ${tooManyToCount}) AS few)
      ) END AS distinct_id_count
    FROM ${source} ${firstIds(project, most)}`;
};

const byIds = (projectId: number, ids: readonly string[], most: number): PgSql => {
  const project = bound(projectId);
  const source = pgSql`unnest(${bound(ids)}::bigint[]) AS input (id)
    CROSS JOIN LATERAL (SELECT * FROM persons WHERE project_id = ${project} AND id = input.id LIMIT 1) AS p`;
  return withDistinctIds(project, source, most).named('persons-by-ids');
};

const byUuid = (projectId: number, uuid: string, most: number): PgSql => {
  const project = bound(projectId);
  const persons = withDistinctIds(project, pgSql`persons AS p`, most);
  return pgSql`${persons} WHERE p.project_id = ${project} AND p.uuid = ${bound(uuid)}::uuid`.named('person-by-uuid');
};

const byDistinctIds = (projectId: number, distinctIds: readonly string[], most: number): PgSql => {
  const project = bound(projectId);
  const source = pgSql`(
      SELECT DISTINCT d.person_id FROM person_distinct_ids AS d
      WHERE d.project_id = ${project} AND d.distinct_id = ANY (${bound(distinctIds)}::text[])
    ) AS owner
    CROSS JOIN LATERAL (SELECT * FROM persons WHERE project_id = ${project} AND id = owner.person_id LIMIT 1) AS p`;
  const persons = withDistinctIds(project, source, most);
  return pgSql`${persons} ORDER BY p.created_at DESC, p.id DESC`.named('persons-by-distinct-ids');
};

/** Reads persons by key, in the shape of the API. */
@Injectable()
export class PersonsRepository {
  private readonly together = new TickBatcher<number, string, PersonRow[]>((projectId, ids) =>
    this.read(this.postgres, projectId, ids, distinctIdsInRecord),
  );

  constructor(private readonly postgres: Postgres) {}

  /** Reads a person; with `client`, as the transaction of the caller sees it. */
  async get(project: ProjectContext, ref: PersonRef, client?: ClientBase): Promise<PersonDto> {
    const row = await this.rowOf(project.id, ref, client);
    const [person] = row ? await this.toPersons(project, [row], distinctIdsInRecord, client) : [];
    if (!person) throw await missingPerson(client ?? this.postgres, project.id, ref);
    return person;
  }

  /** Throws if the reference names a merged person. Used by filters, whose id may name no person at all. */
  refuseMerged(project: ProjectContext, ref: PersonRef): Promise<void> {
    return refuseMerged(this.postgres, project.id, [ref]);
  }

  private async rowOf(projectId: number, ref: PersonRef, client?: ClientBase): Promise<PersonRow | undefined> {
    if ('uuid' in ref) {
      const reader: Queryable = client ?? this.postgres;
      return (await reader.query<PersonRow>(byUuid(projectId, ref.uuid, distinctIdsInRecord))).rows[0];
    }
    const rows = client
      ? await this.read(client, projectId, [ref.id], distinctIdsInRecord)
      : await this.together.load(projectId, ref.id);
    return rows.find(({ id }) => Number(id) === Number(ref.id));
  }

  /** Returns the id of the person that has the distinct id. */
  async ownerOf(project: ProjectContext, distinctId: string): Promise<string | null> {
    const { rows } = await this.postgres.query<{ person_id: string }>(
      pgSql`
        SELECT person_id FROM person_distinct_ids
        WHERE project_id = ${bound(project.id)} AND distinct_id = ${bound(distinctId)}`.named('person-of-distinct-id'),
    );
    return rows[0]?.person_id ?? null;
  }

  /** Returns the id of the person that a request names by `person_id` or by `distinct_id`; null when it names none. */
  async idNamed(project: ProjectContext, named: PersonNames): Promise<string | null> {
    const { person_id: personId, distinct_id: distinctId } = named;
    if (personId !== undefined && distinctId !== undefined) {
      throw invalidInput('Send either person_id or distinct_id, not both', 'distinct_id');
    }
    if (personId !== undefined) return String((await this.get(project, personRef(personId, 'person_id'))).id);
    if (distinctId === undefined) return null;
    const owner = await this.ownerOf(project, distinctId);
    if (owner === null) throw notFound('there is no person with this distinct_id');
    return owner;
  }

  /** Returns the persons in the order of the ids, without those that no longer exist. */
  async byIds(project: ProjectContext, ids: readonly string[], client?: ClientBase): Promise<PersonDto[]> {
    const found = await this.withIds(project, ids, client);
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** Returns the persons by their ids, without those that no longer exist. */
  async withIds(project: ProjectContext, ids: readonly string[], client?: ClientBase): Promise<Map<string, PersonDto>> {
    if (ids.length === 0) return new Map();
    const rows = await this.read(client ?? this.postgres, project.id, ids, distinctIdsInList);
    const persons = await this.toPersons(project, rows, distinctIdsInList, client);
    return new Map(rows.map(({ id }, index) => [id, persons[index] as PersonDto]));
  }

  /**
   * Returns the persons that have any of the distinct ids, newest first. One statement reads everything, because an id may move
   * to another person between two statements.
   */
  async ofDistinctIds(project: ProjectContext, distinctIds: readonly string[]): Promise<PersonDto[]> {
    const { rows } = await this.postgres.query<PersonRow>(byDistinctIds(project.id, distinctIds, distinctIdsInList));
    return this.toPersons(project, rows, distinctIdsInList);
  }

  /** Returns the person of each distinct id, without ids that belong to no person. */
  async ofEachDistinctId(project: ProjectContext, distinctIds: readonly string[]): Promise<Map<string, PersonDto>> {
    for (;;) {
      const owners = await loadOwners(this.postgres, project.id, distinctIds);
      const persons = await this.withIds(project, [...new Set(owners.values())]);
      const found = [...owners].flatMap(([id, owner]) => {
        const person = persons.get(owner);
        return person ? [[id, person] as const] : [];
      });
      // A person that was merged between the two statements has another owner of its ids now.
      if (found.length === owners.size) return new Map(found);
    }
  }

  /** Returns the person of each uuid, without uuids that belong to no person. Throws for the first merged person. */
  async ofEachUuid(project: ProjectContext, uuids: readonly string[]): Promise<Map<string, PersonDto>> {
    const { rows } = await this.postgres.query<{ id: string; uuid: string }>(
      pgSql`SELECT id, uuid FROM persons WHERE project_id = ${bound(project.id)} AND uuid = ANY (${bound(uuids)}::uuid[])`,
    );
    if (rows.length < uuids.length) {
      const refs = uuids.map((uuid, at) => personRef(uuid, `uuids.${at}`));
      await refuseMerged(this.postgres, project.id, refs);
    }
    const persons = await this.withIds(
      project,
      rows.map(({ id }) => id),
    );
    return new Map(
      rows.flatMap(({ id, uuid }) => {
        const person = persons.get(id);
        return person ? [[uuid, person] as const] : [];
      }),
    );
  }

  private async read(client: Queryable, projectId: number, ids: readonly string[], most: number): Promise<PersonRow[]> {
    return (await client.query<PersonRow>(byIds(projectId, ids, most))).rows;
  }

  private async toPersons(
    project: ProjectContext,
    rows: readonly PersonRow[],
    most: number,
    client?: ClientBase,
  ): Promise<PersonDto[]> {
    const persons: PersonDto[] = [];
    for (const row of rows) {
      const count = row.distinct_id_count ?? (await this.countOf(project.id, row.id, client));
      persons.push(toPersonDto(project, row, listedIds(row, most), Number(count)));
    }
    return persons;
  }

  private countOf(projectId: number, personId: string, client?: ClientBase): Promise<number> {
    const count = (locking: ClientBase) => countDistinctIds(locking, projectId, personId);
    return client ? count(client) : this.postgres.transaction(count);
  }
}

export const listedIds = (
  { distinct_ids, human_ids }: { distinct_ids: readonly string[]; human_ids: readonly string[] | null },
  most: number,
): string[] =>
  human_ids === null
    ? humanFirst(distinct_ids)
    : [...human_ids, ...distinct_ids.filter((id) => looksGenerated(id))].slice(0, most);

const toPersonDto = (
  project: ProjectContext,
  row: PersonRow,
  distinctIds: string[],
  distinctIdCount: number,
): PersonDto => {
  const id = Number(row.id);
  return {
    id,
    name: personName(project.personDisplayNameProperties, { id, properties: row.properties, distinctIds }),
    distinct_ids: distinctIds,
    distinct_id_count: distinctIdCount,
    properties: row.properties,
    created_at: row.created_at.toISOString(),
    uuid: row.uuid,
    is_identified: row.is_identified,
  };
};
