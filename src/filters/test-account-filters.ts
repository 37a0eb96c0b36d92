import { type ProjectContext } from '../common/project-context.js';
import { type Filter } from './filter.js';
import { parseFilters } from './parse.js';

/** The filter that `filter_test_accounts` adds to a question. The project keeps filters on cohorts that are deleted later. */
export const testAccountFilters = ({ testAccountFilters: filters }: ProjectContext): Filter =>
  parseFilters(filters, 'test_account_filters', {
    defaultType: 'event',
    stored: true,
    allowed: ['event', 'person', 'cohort', 'event_metadata'],
  });
