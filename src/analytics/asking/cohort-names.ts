import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type Pool } from 'pg';
import { type DataSource } from 'typeorm';
import { type ProjectContext } from '../../common/project-context.js';
import { pgPool } from '../../stores/postgres/pool.js';

/** What the cohorts of a breakdown are called. */
@Injectable()
export class CohortNames {
  private readonly pool: Pool;

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.pool = pgPool(dataSource);
  }

  async of(project: ProjectContext, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map();
    const { rows } = await this.pool.query<{ id: number; name: string }>(
      'SELECT id, name FROM cohorts WHERE project_id = $1 AND id = ANY ($2::integer[])',
      [project.id, ids],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}
