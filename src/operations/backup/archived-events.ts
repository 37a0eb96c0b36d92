import { type ClientBase } from 'pg';
import { nameOf, type ArchiveFile } from '../../kernel/projection/blocks/archived-rows.js';
import { eventArchive, hasEventArchive } from '../../platform/objects/event-archive.js';
import { isIntact } from '../../platform/objects/object-store.js';
import { type ArchivedFile, type ReadBackup } from './files/manifest.js';
import { rowsOf, type PartWriter } from './files/parts.js';
import { BackupFault } from './destinations/destination.js';

interface ArchiveRow extends Omit<ArchiveFile, 'projectId'> {
  readonly project_id: number;
  readonly sha256: string;
}

/** Copies the files of EVENT_ARCHIVE to which the snapshot refers. None of them is removed while the snapshot is read. */
export const copyArchivedEvents = async (client: ClientBase, writer: PartWriter): Promise<ArchivedFile[]> => {
  const { rows } = await client.query<ArchiveRow>(
    `SELECT project_id, id, day::text AS day, bytes, sha256 FROM event_archives WHERE state = 'ready' ORDER BY project_id, id`,
  );
  const files: ArchivedFile[] = [];
  for (const { project_id: projectId, id, day, bytes, sha256 } of rows) {
    const name = nameOf({ projectId, id, day });
    const contents = await eventArchive().read(name, bytes);
    if (!isIntact(contents, { size: bytes, sha256 }))
      throw new BackupFault(`${name} in EVENT_ARCHIVE is missing or damaged: bring it back from an earlier backup`);
    files.push({ name, part: await writer.write(`event_archive.${id}`, contents) });
  }
  return files;
};

/** Call it before the rows that refer to these files are loaded. A file that exists already has the same contents. */
export const loadArchivedEvents = async (backup: ReadBackup): Promise<void> => {
  const { archivedEvents: files } = backup.manifest;
  if (files.length > 0 && !hasEventArchive())
    throw new BackupFault(
      `${backup.destination.name} has archived events: set EVENT_ARCHIVE to a folder or bucket of its own for the restored database`,
    );
  for (const { name, part } of files) {
    const pieces: Buffer[] = [];
    for await (const piece of rowsOf(backup, [part])) pieces.push(piece);
    await eventArchive().write(name, Buffer.concat(pieces));
  }
};
