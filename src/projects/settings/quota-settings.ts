import { type Project } from '../../kernel/projects/project.entity.js';
import { type Quotas } from '../../kernel/projects/quotas.js';

type QuotaColumns = Pick<Project, 'quotaEventsPerDay' | 'quotaCohorts' | 'quotaMembers'>;

export const quotasOfProject = ({ quotaEventsPerDay, quotaCohorts, quotaMembers }: QuotaColumns): Quotas => ({
  events_per_day: quotaEventsPerDay,
  cohorts: quotaCohorts,
  members: quotaMembers,
});

/** Returns the columns of the quotas that the body contains. */
export const quotaColumnsOf = (quotas: Partial<Quotas> | null | undefined): Partial<QuotaColumns> => ({
  ...(quotas?.events_per_day !== undefined && { quotaEventsPerDay: quotas.events_per_day }),
  ...(quotas?.cohorts !== undefined && { quotaCohorts: quotas.cohorts }),
  ...(quotas?.members !== undefined && { quotaMembers: quotas.members }),
});
