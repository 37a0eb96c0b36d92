import { type Caller } from '../../common/access/caller.js';
import { holds } from '../../common/access/scopes.js';
import { permissionDenied } from '../../common/errors/problem.js';
import { type Project } from '../project.entity.js';
import { type Quotas } from './quotas.js';

type QuotaColumns = Pick<Project, 'quotaEventsPerDay' | 'quotaCohorts' | 'quotaMembers'>;

export const quotasOfProject = ({ quotaEventsPerDay, quotaCohorts, quotaMembers }: QuotaColumns): Quotas => ({
  events_per_day: quotaEventsPerDay,
  cohorts: quotaCohorts,
  members: quotaMembers,
});

/** The columns of the quotas that are named. */
export const quotaColumnsOf = (quotas: Partial<Quotas> | null | undefined): Partial<QuotaColumns> => ({
  ...(quotas?.events_per_day !== undefined && { quotaEventsPerDay: quotas.events_per_day }),
  ...(quotas?.cohorts !== undefined && { quotaCohorts: quotas.cohorts }),
  ...(quotas?.members !== undefined && { quotaMembers: quotas.members }),
});

/** An admin of a project must not raise its limits. */
export const demandOwner = ({ projectIds, scopes }: Caller): void => {
  if (projectIds === null && holds(scopes, '*')) return;
  throw permissionDenied(
    'Only an owner of the installation, or a key with the scope * on all projects, sets quotas: leave them out, or send them as they were read',
    'quotas',
  );
};
