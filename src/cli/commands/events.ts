import { type Command } from '../command.js';

export const eventsCompress: Command = {
  name: 'events compress',
  usage: 'events compress',
  summary: 'compress the properties of all events now, which the service does some minutes after they arrive',
  options: {},
  run: async ({ database: { postgres } }) => {
    const { sealProject } = await import('../../events/sealing/seal-on-walk.js');
    const { rows } = await postgres.query<{ id: number }>(
      'SELECT id FROM projects WHERE deleted_at IS NULL ORDER BY id',
    );
    let events = 0;
    for (const { id } of rows) {
      await sealProject(postgres, id, (sealed) => {
        events += sealed;
      });
    }
    return { projects: rows.length, events };
  },
};
