import { AlertMails1767930000000 } from './1767930000000-alert-mails.js';
import { AlertsAndNotices1767800000000 } from './1767800000000-alerts-and-notices.js';
import { AnnotationsAndTags1767000000000 } from './1767000000000-annotations-and-tags.js';
import { BatchExports1767940000000 } from './1767940000000-batch-exports.js';
import { Boards1767960000000 } from './1767960000000-boards.js';
import { CohortsOfGroups1767360000000 } from './1767360000000-cohorts-of-groups.js';
import { CookielessVisitors1767100000000 } from './1767100000000-cookieless-visitors.js';
import { DashboardLinks1767961000000 } from './1767961000000-dashboard-links.js';
import { DeletionsByQuestion1767600000000 } from './1767600000000-deletions-by-question.js';
import { Destinations1767700000000 } from './1767700000000-destinations.js';
import { DashboardSchedules1767981000000 } from './1767981000000-dashboard-schedules.js';
import { EventsOut1767920000000 } from './1767920000000-events-out.js';
import { FeatureFlags1767500000000 } from './1767500000000-feature-flags.js';
import { Groups1767300000000 } from './1767300000000-groups.js';
import { LabelsOfLinks1767980000000 } from './1767980000000-labels-of-links.js';
import { TagsOfActions1767350000000 } from './1767350000000-tags-of-actions.js';
import { TagsOfSavedRecords1767200000000 } from './1767200000000-tags-of-saved-records.js';
import { TrustedCapture1767910000000 } from './1767910000000-trusted-capture.js';
import { Initial1766000000000 } from './1766000000000-initial.js';

/** In the order they run. A released migration is never edited. */
export const postgresMigrations = [
  Initial1766000000000,
  AnnotationsAndTags1767000000000,
  CookielessVisitors1767100000000,
  TagsOfSavedRecords1767200000000,
  Groups1767300000000,
  TagsOfActions1767350000000,
  CohortsOfGroups1767360000000,
  FeatureFlags1767500000000,
  DeletionsByQuestion1767600000000,
  Destinations1767700000000,
  AlertsAndNotices1767800000000,
  TrustedCapture1767910000000,
  EventsOut1767920000000,
  AlertMails1767930000000,
  BatchExports1767940000000,
  Boards1767960000000,
  DashboardLinks1767961000000,
  LabelsOfLinks1767980000000,
  DashboardSchedules1767981000000,
];
