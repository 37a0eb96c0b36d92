import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

export const nameKinds = ['event', 'event_property', 'person_property'] as const;

export type NameKind = (typeof nameKinds)[number];

/** Reads the names that a project has hidden from lists. The catalogue of definitions writes them. */
@Injectable()
export class HiddenNames {
  constructor(private readonly postgres: Postgres) {}

  async of(project: ProjectContext, kind: NameKind): Promise<readonly string[]> {
    const { rows } = await this.postgres.query<{ name: string }>(
      pgSql`SELECT name FROM definitions
       WHERE project_id = ${bound(project.id)} AND kind = ${bound(kind)} AND hidden ORDER BY name`,
    );
    return rows.map(({ name }) => name);
  }
}
