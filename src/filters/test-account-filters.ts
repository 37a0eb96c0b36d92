import { type ProjectContext } from '../common/project-context.js';
import { type Filter } from './filter.js';
import { parseFilters } from './parse.js';

/** What `filter_test_accounts` adds to a question. To be resolved as stored: a project keeps what it was given. */
export const testAccountFilters = ({ testAccountFilters: filters }: ProjectContext): Filter =>
  parseFilters(filters, 'test_account_filters', {
    defaultType: 'event',
    allowed: ['event', 'person', 'cohort', 'event_metadata'],
  });
