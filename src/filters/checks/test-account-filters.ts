import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Filter } from '../reading/filter.js';
import { type FilterOptions, parseFilters } from '../reading/parse.js';

const options: FilterOptions = { defaultType: 'event', allowed: ['event', 'person', 'cohort', 'event_metadata'] };

/** Reads the setting before it is stored. */
export const readTestAccountFilters = (filters: readonly unknown[]): Filter =>
  parseFilters(filters, 'test_account_filters', options);

/** The filter that `filter_test_accounts` adds to a question. The project keeps filters on cohorts that are deleted later. */
export const testAccountFilters = ({ testAccountFilters: filters }: ProjectContext): Filter =>
  parseFilters(filters, 'test_account_filters', { ...options, stored: true });
