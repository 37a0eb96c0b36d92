import { integerOf } from '../../common/params/values.js';
import { MovedMembers } from '../../cohorts/static/moved-members.js';
import { seedEvents } from '../../events/seed/seed-events.js';
import { writeSeed } from '../../events/seed/write-seed.js';
import { ProjectsService } from '../../projects/projects.service.js';
import { demandFlag, UsageError, type Command, type Flags } from '../command.js';
import { namedProject, projectOption } from '../project-flag.js';
import { progressOf } from '../progress.js';

const eventsPerPerson = 30;
const most = { events: 1_000_000_000, days: 3650 };

export const seed: Command = {
  name: 'seed',
  usage: 'seed --events 1000000 [--persons 33333] [--days 30] [--project 1]',
  summary: 'generate realistic traffic; the same arguments generate the same events, so a second run changes nothing',
  options: {
    events: { value: 'N', about: 'the number of events' },
    persons: { value: 'N', about: 'the number of persons; without it, one for each 30 events' },
    days: { value: 'N', about: 'the period that ends now; without it, 30' },
    project: projectOption,
  },
  run: async ({ app, database, flags }) => {
    demandFlag(flags, 'events');
    const events = numberOf(flags, 'events', 0, most.events);
    const persons = numberOf(flags, 'persons', Math.ceil(events / eventsPerPerson), events);
    const days = numberOf(flags, 'days', 30, most.days);
    const project = await namedProject(app.get(ProjectsService), flags);
    const progress = progressOf('events', events);
    const started = Date.now();
    const now = new Date(started);
    const traffic = { events: seedEvents({ events, persons, days, now }), now };
    const report = await writeSeed(database.postgres, project, traffic, new MovedMembers(), progress.show).finally(
      progress.end,
    );
    return { project, persons, days, ...report, seconds: Math.round((Date.now() - started) / 100) / 10 };
  },
};

const numberOf = (flags: Flags, name: string, otherwise: number, atMost: number): number => {
  const text = flags[name];
  if (text === undefined) return otherwise;
  const value = integerOf(text);
  if (value !== null && value >= 1 && value <= atMost) return value;
  throw new UsageError(`--${name} must be a whole number from 1 to ${atMost}`);
};
