import { Injectable } from '@nestjs/common';
import { BriefMemory } from '../../platform/work/brief-memory.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { readRules } from '../definition/read-rules.js';
import { type Rules, cohortsOfRules, readsGroups, readsPersons, type StoredRules } from '../definition/rules.js';

/** A flag that can be decided about. */
export interface ReadyFlag {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly active: boolean;
  readonly version: number;
  readonly rules: Rules;
  readonly cohorts: readonly number[];
  readonly readsPersons: boolean;
  readonly readsGroups: boolean;
}

/** Another object after each change of a flag. */
export interface FlagsOfProject {
  readonly projectId: number;
  /** Changes whenever a flag of the project is made, changed or deleted: no id is used twice, and each change raises a version. */
  readonly state: string;
  readonly flags: readonly ReadyFlag[];
  /** The cohorts of all active flags. */
  readonly cohorts: readonly number[];
}

interface Row {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly active: boolean;
  readonly version: number;
  readonly filters: StoredRules;
}

const timeoutMs = 1500;

const flagsOfProject = (projectId: number, state: string, flags: readonly ReadyFlag[]): FlagsOfProject => ({
  ...{ projectId, state, flags },
  cohorts: [...new Set(flags.flatMap((flag) => (flag.active ? flag.cohorts : [])))],
});

/**
 * The flags of projects, ready to be decided about. What is used is at most a second old in every process; the flags
 * themselves are read only when one of them has changed.
 */
@Injectable()
export class ProjectFlags {
  private readonly remembered = new BriefMemory<number, FlagsOfProject>((ids) => this.lookUp(ids));
  /** The latest flags of each project, until their state changes. */
  private readonly read = new Map<number, FlagsOfProject>();

  constructor(private readonly postgres: Postgres) {}

  async of(projectId: number): Promise<FlagsOfProject> {
    return (await this.remembered.find(projectId)) ?? flagsOfProject(projectId, '', []);
  }

  private async lookUp(projectIds: readonly number[]): Promise<ReadonlyMap<number, FlagsOfProject>> {
    const states = await this.statesOf(projectIds);
    const known = await Promise.all(
      projectIds.map(async (id): Promise<[number, FlagsOfProject]> => {
        const state = states.get(id) ?? '';
        const before = this.read.get(id);
        if (before?.state === state) return [id, before];
        const flags = flagsOfProject(id, state, state === '' ? [] : await this.load(id));
        if (state === '') this.read.delete(id);
        else this.read.set(id, flags);
        return [id, flags];
      }),
    );
    return new Map(known);
  }

  private async statesOf(projectIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const { name, text, values } = pgSql`
      SELECT project_id, md5(string_agg(id || ' ' || version, ',' ORDER BY id)) AS state FROM feature_flags
      WHERE project_id = ANY (${bound(projectIds)}::integer[]) GROUP BY project_id`.named('flags-states');
    const { rows } = await this.postgres.query<{ project_id: number; state: string }>({
      ...{ name, text, values },
      query_timeout: timeoutMs,
    });
    return new Map(rows.map(({ project_id: id, state }) => [id, state]));
  }

  /** May be newer than the state that was read before it, which then differs once more. */
  private async load(projectId: number): Promise<readonly ReadyFlag[]> {
    const { name, text, values } = pgSql`
      SELECT id, key, name, active, version, filters FROM feature_flags
      WHERE project_id = ${bound(projectId)} ORDER BY id`.named('flags-of-project');
    const { rows } = await this.postgres.query<Row>({ ...{ name, text, values }, query_timeout: timeoutMs });
    return rows.map(({ filters, ...flag }) => {
      const { rules } = readRules(filters, 'filters', { stored: true });
      return {
        ...flag,
        ...{
          rules,
          cohorts: cohortsOfRules(rules),
          readsPersons: readsPersons(rules),
          readsGroups: readsGroups(rules),
        },
      };
    });
  }
}
