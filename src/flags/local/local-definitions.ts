import { Injectable } from '@nestjs/common';
import { groupTypesOf } from '../../kernel/groups/group-types.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { leavesOf } from '../../filters/reading/filter.js';
import { plainFilter, readRules } from '../definition/read-rules.js';
import { type StoredRules } from '../definition/rules.js';
import { type StoredDefinition, localCohorts } from './local-cohorts.js';
import { type LocalDefinitionsDto } from './local.dto.js';

interface Row {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly active: boolean;
  readonly version: number;
  readonly filters: StoredRules;
}

/** The definitions with which SDKs decide about flags themselves. */
@Injectable()
export class LocalDefinitions {
  constructor(private readonly postgres: Postgres) {}

  async of(projectId: number): Promise<LocalDefinitionsDto> {
    const [flags, types, cohorts] = await Promise.all([
      this.postgres.query<Row>(pgSql`
        SELECT id, key, name, active, version, filters FROM feature_flags
        WHERE project_id = ${bound(projectId)} ORDER BY id`),
      groupTypesOf(this.postgres, projectId),
      this.cohorts(projectId),
    ]);
    return {
      flags: flags.rows.map((row) => ({
        ...row,
        filters: localRules(row.filters),
        deleted: false,
        ensure_experience_continuity: false,
      })),
      group_type_mapping: Object.fromEntries(types.map(({ group_type_index: index, name }) => [String(index), name])),
      cohorts: localCohorts(cohorts),
      // Values are compared as texts: the first version took every text but "true" for false.
      property_matching_version: 2,
    };
  }

  /** The cohorts that flags name, and those that they name in turn. */
  private async cohorts(projectId: number): Promise<readonly StoredDefinition[]> {
    const { rows } = await this.postgres.query<StoredDefinition>(pgSql`
      WITH RECURSIVE named AS (
        SELECT DISTINCT unnest(f.cohorts) AS id FROM feature_flags AS f WHERE f.project_id = ${bound(projectId)}
        UNION
        SELECT unnest(c.depends_on) FROM named JOIN cohorts AS c ON c.project_id = ${bound(projectId)} AND c.id = named.id
      )
      SELECT c.id, CASE WHEN NOT c.is_static AND c.group_type_index IS NULL THEN c.filters END AS filters FROM cohorts AS c
      WHERE c.project_id = ${bound(projectId)} AND NOT c.deleted AND c.id IN (SELECT id FROM named) ORDER BY c.id`);
    return rows;
  }
}

/** The rules with the main name of each operator, and without filters that always hold. */
const localRules = (stored: StoredRules): StoredRules => {
  const { conditions } = readRules(stored, 'filters', { stored: true }).rules;
  return {
    ...stored,
    groups: stored.groups.map((condition, at) => ({
      ...condition,
      properties: leavesOf(conditions[at]?.filter ?? { kind: 'group', combine: 'AND', parts: [] }).flatMap(
        (leaf, nth) =>
          leaf.kind === 'property' && leaf.values.length === 0 && !leaf.operator.endsWith('set')
            ? []
            : [plainFilter(condition.properties[nth] ?? {}, leaf)],
      ),
    })),
  };
};
