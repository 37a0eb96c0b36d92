import { partsOfBackup, statedManifest } from './files/manifest.js';
import { BackupFault, type BackupDestination, type InnerDestination } from './destinations/destination.js';

export interface ListedBackup extends InnerDestination {
  readonly state: 'complete' | 'unfinished' | 'damaged';
  /** The moment of whose rows the backup is a copy; null unless it is complete. */
  readonly made: string | null;
  readonly version: string | null;
  /** How long it took to make the backup. */
  readonly seconds: number | null;
  readonly bytes: number | null;
  readonly encrypted: boolean | null;
  /** The seal of the earlier backup with which it shares files. */
  readonly previous: string | null;
  readonly seal: string | null;
}

const unknown = { made: null, version: null, seconds: null, bytes: null };
const nothingKnown = { ...unknown, encrypted: null, previous: null, seal: null };

/** The backups in a destination, the newest first, then those that are not whole. */
export const listBackups = async (destination: BackupDestination): Promise<ListedBackup[]> => {
  const listed: ListedBackup[] = [];
  for (const inside of await destination.inside())
    listed.push(inside.isComplete ? await complete(inside) : { ...inside, state: 'unfinished', ...nothingKnown });
  return listed.sort((a, b) => (b.made ?? '').localeCompare(a.made ?? '') || a.name.localeCompare(b.name));
};

const complete = async (inside: InnerDestination): Promise<ListedBackup> => {
  const stated = await statedManifest(inside.destination).catch((error: unknown) => {
    if (error instanceof BackupFault) return null;
    throw error;
  });
  if (stated === null) return { ...inside, state: 'damaged', ...nothingKnown };
  const { manifest, seal } = stated;
  const { startedAt: made, version, previous, encryption } = manifest;
  const seconds = (Date.parse(manifest.finishedAt) - Date.parse(made)) / 1000;
  const bytes = partsOfBackup(manifest).reduce((sum, { size }) => sum + size, 0);
  const known = { made, version, seconds, bytes, encrypted: encryption !== null, previous, seal };
  return { ...inside, state: 'complete', ...known };
};

/**
 * Removes all complete backups but the newest `keep`, and what killed ones have left. Other backups keep the files that they
 * share with removed ones. Damaged backups stay, because an operator has to look at them.
 */
export const pruneBackups = async (
  destination: BackupDestination,
  keep: number,
  includes: (name: string) => boolean = () => true,
): Promise<ListedBackup[]> => {
  const listed = (await listBackups(destination)).filter(({ name }) => includes(name));
  const old = listed.filter(({ state }) => state === 'complete').slice(keep);
  const unfinished = listed.filter(({ state }) => state === 'unfinished');
  const made = await Promise.all(unfinished.map((backup) => backup.destination.isBeingMade()));
  const removed = [...old, ...unfinished.filter((_, at) => made[at] === false)];
  for (const backup of removed) await backup.destination.remove();
  return removed;
};
