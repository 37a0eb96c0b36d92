import { isDeepStrictEqual } from 'node:util';
import { type Activity, type ActivityChange } from '../kernel/activity/record-activity.js';
import { isoOrNull } from '../platform/http/dates.js';
import { type Project } from '../kernel/projects/project.entity.js';

/**
 * The logged settings, each with its name in the API and in the entity. The last value is false for filters of test accounts:
 * they may name persons, so their values are not logged.
 */
const fields = [
  ['name', 'name', true],
  ['timezone', 'timezone', true],
  ['week_start_day', 'weekStartDay', true],
  ['person_display_name_properties', 'personDisplayNameProperties', true],
  ['test_account_filters', 'testAccountFilters', false],
  ['path_cleaning_filters', 'pathCleaningFilters', true],
  ['events_ttl_days', 'eventsTtlDays', true],
  ['events_ttl_days_by_name', 'eventsTtlDaysByName', true],
  ['audit_reads', 'auditReads', true],
  ['cookieless_visitors', 'cookielessVisitors', true],
  ['protected_person_properties', 'protectedPersonProperties', true],
  ['protected_group_properties', 'protectedGroupProperties', true],
  ['protected_merges', 'protectedMerges', true],
  ['dashboard_links_forbidden', 'dashboardLinksForbidden', true],
  ['quotas.events_per_day', 'quotaEventsPerDay', true],
  ['quotas.cohorts', 'quotaCohorts', true],
  ['quotas.members', 'quotaMembers', true],
] as const;

/** Makes an entry for a new project, or for changed settings. The project token is never part of an entry. */
export const projectActivity = (after: Project, before: Project | null): Activity => ({
  scope: 'Project',
  itemId: String(after.id),
  activity: before ? 'updated' : 'created',
  name: after.name,
  changes: before ? changed(after, before) : [change('created', null, null, null)],
});

/** Makes an entry for a new token. It tells until when events with the previous token are captured. */
export const rotationActivity = ({ id }: { readonly id: number }, name: string, until: Date | null): Activity => ({
  scope: 'Project',
  itemId: String(id),
  activity: 'token_rotated',
  name,
  changes: [
    change('changed', 'api_token', null, null),
    change('changed', 'previous_api_token_until', null, isoOrNull(until)),
  ],
});

const changed = (after: Project, before: Project): ActivityChange[] =>
  fields
    .filter(([, name]) => !isDeepStrictEqual(before[name], after[name]))
    .map(([field, name, isLogged]) =>
      change('changed', field, isLogged ? before[name] : null, isLogged ? after[name] : null),
    );

const change = (
  action: ActivityChange['action'],
  field: string | null,
  before: unknown,
  after: unknown,
): ActivityChange => ({ type: 'Project', action, field, before, after });
