import { Injectable } from '@nestjs/common';
import { FilterChecks } from '../../filters/checks/filter-checks.js';
import { type Requester } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { assertScopes } from '../../kernel/access/scopes.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { filterOf } from '../definition/rules.js';
import { readRules } from '../definition/read-rules.js';
import { FlagsService } from '../flags.service.js';
import { type FlagPreviewDto, type PreviewFlagBody } from './flag-preview.dto.js';
import { flagPreviewSql, heldOut, off } from './flag-preview.sql.js';

interface Row {
  readonly decided: number;
  readonly value: number;
  readonly count: number;
  readonly matched: readonly number[];
}

/** Counts who would get what from a flag that need not be stored. */
@Injectable()
export class FlagPreviews {
  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly filterChecks: FilterChecks,
    private readonly flags: FlagsService,
  ) {}

  async of(project: ProjectContext, body: PreviewFlagBody, { now, scopes }: Requester): Promise<FlagPreviewDto> {
    const { rules } = readRules(body.filters, 'filters');
    const { conditions, variants, holdout, groupType } = rules;
    if (groupType !== null) assertScopes(scopes, ['group:read']);
    await this.flags.assertGroupTypes(project, rules);
    const counted = conditions.filter((condition) => condition.groupType === groupType);
    const cohorts = await this.filterChecks.resolve(project, filterOf(counted), 'filters.groups', {
      tested: groupType ?? 'persons',
    });
    await this.projection.waitUntilFresh(project.id, now);
    const scope = { projectId: project.id, timezone: project.timezone, now, cohorts };
    const rows = await this.clickhouse.query<Row>(flagPreviewSql(body.key, rules, scope), { project });
    const sum = (isCounted: (row: Row) => boolean): number =>
      rows.filter(isCounted).reduce((all, { count }) => all + count, 0);
    return {
      group_type_index: groupType,
      total: sum(() => true),
      enabled: sum(({ decided }) => decided !== off),
      variants: [
        ...variants.map(({ key }, at) => ({ key, count: sum(({ value }) => value === at) })),
        ...(holdout ? [{ key: `holdout-${holdout.id}`, count: sum(({ value }) => value === heldOut) }] : []),
      ],
      conditions: conditions.map((_, at) => ({
        matched: rows.reduce((all, { matched }) => all + (matched[at] ?? 0), 0),
        decided: sum(({ decided }) => decided === at),
      })),
    };
  }
}
