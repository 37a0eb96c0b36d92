import { AlertsAndNotices1767800000000 } from './1767800000000-alerts-and-notices.js';
import { AnnotationsAndTags1767000000000 } from './1767000000000-annotations-and-tags.js';
import { CookielessVisitors1767100000000 } from './1767100000000-cookieless-visitors.js';
import { Groups1767300000000 } from './1767300000000-groups.js';
import { TagsOfActions1767350000000 } from './1767350000000-tags-of-actions.js';
import { TagsOfSavedRecords1767200000000 } from './1767200000000-tags-of-saved-records.js';
import { Initial1766000000000 } from './1766000000000-initial.js';

/** In the order they run. A released migration is never edited. */
export const postgresMigrations = [
  Initial1766000000000,
  AnnotationsAndTags1767000000000,
  CookielessVisitors1767100000000,
  TagsOfSavedRecords1767200000000,
  Groups1767300000000,
  TagsOfActions1767350000000,
  AlertsAndNotices1767800000000,
];
