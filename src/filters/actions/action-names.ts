import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

/** Finds actions by their names. */
@Injectable()
export class ActionNames {
  constructor(private readonly postgres: Postgres) {}

  /** The id of the oldest action of this name; null if there is none. */
  async idOf(project: ProjectContext, name: string): Promise<number | null> {
    const { rows } = await this.postgres.query<{ id: number }>(
      pgSql`SELECT id FROM actions WHERE project_id = ${bound(project.id)} AND name = ${bound(name)} ORDER BY id LIMIT 1`,
    );
    return rows[0]?.id ?? null;
  }
}
