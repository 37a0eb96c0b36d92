import { Injectable } from '@nestjs/common';
import { groupActor } from '../../kernel/projection/named-groups.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { TickBatcher } from '../../platform/work/shared-work.js';
import { type FlagsOfProject } from './project-flags.js';
import { flagGroupsSql, subjectsSql } from './subjects.sql.js';

type Properties = Readonly<Record<string, unknown>>;

/** The version of the members of a cohort: null before the first calculation. */
export interface CohortVersion {
  readonly id: number;
  readonly version: number | null;
}

/** A person as PostgreSQL has it. An unknown one has no properties, and is in no cohort. */
export interface KnownPerson {
  readonly exists: boolean;
  readonly properties: Properties;
  readonly cohorts: ReadonlySet<number>;
  readonly versions: readonly CohortVersion[];
}

export const unknownPerson: KnownPerson = { exists: false, properties: {}, cohorts: new Set(), versions: [] };

/** A group as PostgreSQL has it. */
export interface KnownGroup {
  /** The name of its type. */
  readonly type: string;
  readonly key: string;
  readonly properties: Properties;
}

interface Row {
  readonly properties: Properties | null;
  readonly cohorts: readonly number[];
  readonly versions: readonly CohortVersion[] | null;
}

/** Reads persons and groups from PostgreSQL, as they are now. */
@Injectable()
export class Subjects {
  private readonly together = new TickBatcher<FlagsOfProject, string, ReadonlyMap<string, KnownPerson>>((flags, ids) =>
    this.find(flags, ids),
  );

  constructor(private readonly postgres: Postgres) {}

  /** The person with those of the cohorts of all flags that it is in, so that requests for different flags share a statement. */
  async person(flags: FlagsOfProject, distinctId: string): Promise<KnownPerson> {
    const found = await this.together.load(flags, distinctId);
    return found.get(distinctId) ?? unknownPerson;
  }

  /** The groups by the indexes of their types. A type that the project does not have is missing. */
  async groups(projectId: number, keys: ReadonlyMap<string, string>): Promise<ReadonlyMap<number, KnownGroup>> {
    if (keys.size === 0) return new Map();
    const named = [...keys].map(([type, key]) => ({ type, actor: groupActor(projectId, { type, key }) }));
    const { rows } = await this.postgres.query<{ type: string; index: number; properties: Properties | null }>(
      flagGroupsSql(projectId, named),
    );
    return new Map(
      rows.map(({ type, index, properties }) => [
        index,
        { type, key: keys.get(type) ?? '', properties: properties ?? {} },
      ]),
    );
  }

  private async find({ projectId, cohorts }: FlagsOfProject, ids: readonly string[]) {
    const { rows } = await this.postgres.query<Row>(subjectsSql(projectId, ids, cohorts));
    return new Map(
      ids.map((id, at): [string, KnownPerson] => [
        id,
        {
          exists: (rows[at]?.properties ?? null) !== null,
          properties: rows[at]?.properties ?? {},
          cohorts: new Set(rows[at]?.cohorts ?? []),
          versions: rows[at]?.versions ?? [],
        },
      ]),
    );
  }
}
