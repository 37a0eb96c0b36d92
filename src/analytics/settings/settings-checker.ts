import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { FilterChecks } from '../../filters/checks/filter-checks.js';
import { readTestAccountFilters } from '../../filters/checks/test-account-filters.js';
import { CleaningCheck } from '../paths/cleaning-check.js';
import { readCleaningRules } from '../paths/paths.parameters.js';

/** The settings whose faults only ClickHouse and the cohorts of the project can show. */
export type CheckedSettings = Partial<Pick<ProjectContext, 'testAccountFilters' | 'pathCleaningFilters'>>;

/** Reads settings as questions do, and lets ClickHouse check their regular expressions. */
@Injectable()
export class SettingsChecker {
  constructor(
    private readonly filters: FilterChecks,
    private readonly cleaning: CleaningCheck,
  ) {}

  async check(project: ProjectContext, { testAccountFilters, pathCleaningFilters }: CheckedSettings): Promise<void> {
    const filter = readTestAccountFilters(testAccountFilters ?? []);
    const rules = readCleaningRules(pathCleaningFilters, 'path_cleaning_filters');
    await this.filters.resolve(project, filter, 'test_account_filters', { subject: 'test_account_filters' });
    await this.cleaning.check(project, rules);
  }
}
