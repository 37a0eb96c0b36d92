import { type Postgres } from '../../stores/postgres/postgres.js';
import { sealEvents } from './seal-events.js';
import { walkAgain, walkFurther } from './unsealed.js';

/** Seals the next events on the walk through a project. Returns their number; null when the walk has ended. */
export const sealOnWalk = (postgres: Postgres, projectId: number, receivedUpTo: Date): Promise<number | null> =>
  postgres.transaction(async (client) => {
    const uuids = await walkFurther(client, projectId, receivedUpTo);
    return uuids === null ? null : sealEvents(client, projectId, uuids);
  });

/** Seals all events that have arrived in a project, as fast as it can. */
export const sealProject = async (
  postgres: Postgres,
  projectId: number,
  onSealed: (events: number) => void,
): Promise<void> => {
  const receivedUpTo = postgres.clock.now();
  await walkAgain(postgres, projectId);
  for (;;) {
    const sealed = await sealOnWalk(postgres, projectId, receivedUpTo);
    if (sealed === null) return;
    onSealed(sealed);
  }
};
