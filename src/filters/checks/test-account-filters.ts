import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Filter } from '../reading/filter.js';
import { insightFilters } from '../reading/filter-fields.js';

/** Reads the filters of the setting before they are stored. */
export const readTestAccountFilters = (filters: readonly unknown[]): Filter =>
  insightFilters.read(filters, 'test_account_filters');

/** The filter that `filter_test_accounts` adds to a question. Its cohorts may have been deleted since the project stored it. */
export const testAccountFilters = ({ testAccountFilters: filters }: ProjectContext): Filter =>
  insightFilters.read(filters, 'test_account_filters', true);
