import { requireFlag, UsageError, type Command } from '../command.js';

export const eventsCompress: Command = {
  name: 'events compress',
  usage: 'events compress',
  summary: 'compress the properties of all events now, which the service does some minutes after they arrive',
  options: {},
  run: async ({ database: { postgres } }) => {
    const { compressProject } = await import('../../../kernel/event-log/compression/uncompressed.js');
    const { rows } = await postgres.query<{ id: number }>(
      'SELECT id FROM projects WHERE deleted_at IS NULL ORDER BY id',
    );
    let events = 0;
    for (const { id } of rows) {
      await compressProject(postgres, id, (compressed) => {
        events += compressed;
      });
    }
    return { projects: rows.length, events };
  },
};

const dayBefore = (day: string): string => {
  const moment = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  if (Number.isNaN(moment)) throw new UsageError('--before must be a day, such as 2026-11-01');
  return new Date(moment - 24 * 60 * 60_000).toISOString().slice(0, 10);
};

export const eventsArchive: Command = {
  name: 'events archive',
  usage: 'events archive --before 2026-11-01',
  summary: 'move compressed properties of events that arrived before this day, in UTC, into EVENT_ARCHIVE now',
  options: { before: { value: 'DAY', about: 'the first day that stays' } },
  check: ({ config, flags }) => {
    dayBefore(requireFlag(flags, 'before'));
    if (config.eventArchive === null) throw new UsageError('set EVENT_ARCHIVE to the folder or bucket of the service');
  },
  run: async ({ database: { postgres }, flags }) => {
    const { archiveDay, daysToArchive } = await import('../../../kernel/event-log/compression/archive-day.js');
    let [files, events] = [0, 0];
    for (const day of await daysToArchive(postgres, dayBefore(requireFlag(flags, 'before')))) {
      const onFile = (archived: number): void => {
        files += 1;
        events += archived;
      };
      await archiveDay(postgres, day, { rests: 0, onFile });
    }
    return { files, events };
  },
};
