import { type Config } from '../../platform/config/config.js';
import { nextOccurrence } from '../../platform/time/schedule.js';

const dayMs = 24 * 60 * 60_000;

/**
 * The moment after which no copy that the service makes by itself has events that were deleted by `verifiedAt`; null if it makes
 * none. A scheduled backup is removed once as many later ones as are kept have been made. The archive of the embedded PostgreSQL
 * gets a base backup after half of its days, and removes the one before when the next is as old as the archive reaches.
 */
export const backupsUntil = (
  verifiedAt: Date,
  { backups, walArchive }: Pick<Config, 'backups' | 'walArchive'>,
): Date | null => {
  const moments: Date[] = [];
  if (backups) {
    let made = verifiedAt;
    for (let kept = 0; kept < backups.keep; kept += 1) made = nextOccurrence(backups.schedule, made);
    moments.push(made);
  }
  if (walArchive) moments.push(new Date(verifiedAt.getTime() + 1.5 * walArchive.days * dayMs));
  return moments.reduce<Date | null>((latest, moment) => (latest && latest > moment ? latest : moment), null);
};
