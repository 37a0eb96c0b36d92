import { CronTime } from 'cron';

/** Returns the first scheduled moment after `from`. Schedules are in UTC. */
export const nextOccurrence = (schedule: string, from: Date): Date =>
  new CronTime(schedule, 'UTC').getNextDateFrom(from, 'UTC').toJSDate();

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Short periods are tried first, so that there are few occurrences between the start of a period and now. */
const looksBack = [minute, hour, day, 8 * day, 32 * day, 400 * day, 9 * 366 * day];

/** Returns the last scheduled moment up to `now`; null for a schedule that has never been due. */
export const latestOccurrence = (schedule: string, now: Date): Date | null => {
  for (const back of looksBack) {
    let latest: Date | null = null;
    let next = nextOccurrence(schedule, new Date(now.getTime() - back));
    while (next <= now) {
      latest = next;
      next = nextOccurrence(schedule, next);
    }
    if (latest) return latest;
  }
  return null;
};
