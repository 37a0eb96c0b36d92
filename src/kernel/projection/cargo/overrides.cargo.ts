import { overridesTable } from '../schema/projected-tables.js';
import { type Cargo, ownersOf } from './cargo.js';
import { profilelessActor } from '../actors.sql.js';

/** The person to which past events of a distinct id belong now, if any. */
export const overridesCargo: Cargo = {
  kind: 'distinct_ids',
  table: overridesTable,
  sizes: null,
  read: async (reader, projectId, keys, version) => {
    const owners = await ownersOf(reader, projectId, keys);
    const projected = keys.map((distinctId) => ({
      project_id: projectId,
      distinct_id: distinctId,
      actor: owners.get(distinctId) ?? profilelessActor(projectId, distinctId),
      version,
    }));
    return { rows: projected, gone: [] };
  },
};
