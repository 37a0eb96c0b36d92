import { integerOf } from '../../../platform/fields/values.js';
import { requireFlag, UsageError, type Command, type Flags } from '../command.js';
import { namedProject, projectOption } from '../project-flag.js';
import { progressOf } from '../../start/progress.js';

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
  check: ({ flags }) => void sizeOf(flags),
  run: async (context) => {
    const { events, persons, days } = sizeOf(context.flags);
    const { MovedMembers } = await import('../../../kernel/memberships/moved-members.js');
    const { seedEvents } = await import('../../demo/seed-events.js');
    const { writeSeed } = await import('../../demo/write-seed.js');
    const project = await namedProject(context);
    const progress = progressOf('events', events);
    const started = Date.now();
    const now = new Date(started);
    const traffic = { events: seedEvents({ events, persons, days, now }), now };
    const { postgres } = context.database;
    const written = writeSeed(postgres, project, traffic, new MovedMembers(), progress.show);
    const report = await written.finally(progress.end);
    return { project, persons, days, ...report, seconds: Math.round((Date.now() - started) / 100) / 10 };
  },
};

const sizeOf = (flags: Flags) => {
  requireFlag(flags, 'events');
  const events = numberOf(flags, 'events', 0, most.events);
  const persons = numberOf(flags, 'persons', Math.ceil(events / eventsPerPerson), events);
  return { events, persons, days: numberOf(flags, 'days', 30, most.days) };
};

const numberOf = (flags: Flags, name: string, otherwise: number, atMost: number): number => {
  const text = flags[name];
  if (text === undefined) return otherwise;
  const value = integerOf(text);
  if (value !== null && value >= 1 && value <= atMost) return value;
  throw new UsageError(`--${name} must be a whole number from 1 to ${atMost}`);
};
