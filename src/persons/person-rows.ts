import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type ClientBase, type Pool } from 'pg';
import { type DataSource } from 'typeorm';
import { notFound } from '../common/errors/problem.js';
import { type ProjectContext } from '../common/project-context.js';
import { pgPool } from '../stores/postgres/pool.js';
import { type PersonDto } from './person.dto.js';
import { humanFirst, personName } from './person-name.js';
import { type PersonRef } from './person-ref.js';

export const distinctIdsInRecord = 1000;
export const distinctIdsInList = 100;

interface PersonRow {
  readonly id: string;
  readonly uuid: string;
  readonly properties: Record<string, unknown>;
  readonly is_identified: boolean;
  readonly created_at: Date;
  readonly distinct_ids: string[];
  readonly distinct_id_count: string;
}

const columns = `p.id, p.uuid, p.properties, p.is_identified, p.created_at`;

/** Human ids first; of the rest as many as there is room for, in the order they came. */
const withDistinctIds = (source: string): string => `
  SELECT ${columns},
    ARRAY(
      SELECT d.distinct_id FROM person_distinct_ids AS d
      WHERE d.project_id = $1 AND d.person_id = p.id
      ORDER BY (d.distinct_id ~ '^[a-z0-9]+(-[a-z0-9]+){4}$'), d.position
      LIMIT $3
    ) AS distinct_ids,
    (SELECT count(*) FROM person_distinct_ids AS d WHERE d.project_id = $1 AND d.person_id = p.id) AS distinct_id_count
  FROM ${source}`;

const byIds = withDistinctIds(`unnest($2::bigint[]) AS wanted (id)
  CROSS JOIN LATERAL (SELECT * FROM persons WHERE project_id = $1 AND id = wanted.id LIMIT 1) AS p`);
const byId = `${withDistinctIds('persons AS p')} WHERE p.project_id = $1 AND p.id = $2::bigint`;
const byUuid = `${withDistinctIds('persons AS p')} WHERE p.project_id = $1 AND p.uuid = $2::uuid`;

/** Persons by key, in the shape every row of the interface answers with. */
@Injectable()
export class PersonRows {
  private readonly pool: Pool;

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.pool = pgPool(dataSource);
  }

  /** Within a transaction of the caller's it sees what that has changed. */
  async get(project: ProjectContext, ref: PersonRef, client?: ClientBase): Promise<PersonDto> {
    const { rows } = await (client ?? this.pool).query<PersonRow>(
      'id' in ref
        ? { name: 'person-by-id', text: byId, values: [project.id, ref.id, distinctIdsInRecord] }
        : { name: 'person-by-uuid', text: byUuid, values: [project.id, ref.uuid, distinctIdsInRecord] },
    );
    if (!rows[0]) throw notFound();
    return toPersonDto(project, rows[0]);
  }

  /** The id of the person that has the distinct id. */
  async ownerOf(project: ProjectContext, distinctId: string): Promise<string | null> {
    const { rows } = await this.pool.query<{ person_id: string }>({
      name: 'person-of-distinct-id',
      text: 'SELECT person_id FROM person_distinct_ids WHERE project_id = $1 AND distinct_id = $2',
      values: [project.id, distinctId],
    });
    return rows[0]?.person_id ?? null;
  }

  /** In the order of the ids; one that is gone meanwhile is left out. */
  async byIds(project: ProjectContext, ids: readonly string[], client?: ClientBase): Promise<PersonDto[]> {
    if (ids.length === 0) return [];
    const { rows } = await (client ?? this.pool).query<PersonRow>({
      name: 'persons-by-ids',
      text: byIds,
      values: [project.id, ids, distinctIdsInList],
    });
    const found = new Map(rows.map((row) => [row.id, toPersonDto(project, row)]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }
}

const toPersonDto = (project: ProjectContext, row: PersonRow): PersonDto => {
  const id = Number(row.id);
  const distinctIds = humanFirst(row.distinct_ids);
  return {
    id,
    name: personName(project.personDisplayNameProperties, { id, properties: row.properties, distinctIds }),
    distinct_ids: distinctIds,
    distinct_id_count: Number(row.distinct_id_count),
    properties: row.properties,
    created_at: row.created_at.toISOString(),
    uuid: row.uuid,
    is_identified: row.is_identified,
  };
};
