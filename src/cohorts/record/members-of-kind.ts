import { type MemberKind, memberKindOf } from '../../kernel/memberships/record-members.js';
import { invalidInput } from '../../platform/errors/problem.js';

/** The routes of a cohort, for cohorts of persons and of groups. */
const routes = {
  members: { persons: 'persons', groups: 'groups' },
  changes: { persons: 'changes', groups: 'group_changes' },
} as const;

/** Refuses a request for persons of a cohort of groups, and the other way round, and names the route that answers it. */
export const assertMembers = (
  cohortId: number,
  groupType: number | null,
  requested: MemberKind,
  what: keyof typeof routes,
): void => {
  const kind = memberKindOf(groupType);
  if (kind === requested) return;
  throw invalidInput(
    `cohort ${cohortId} has ${kind}, not ${requested}: ask for cohorts/${cohortId}/${routes[what][kind]}`,
  );
};
