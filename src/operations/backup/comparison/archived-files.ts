import { zeroUuid } from '../../../platform/values/ids.js';
import { nameOf } from '../../../kernel/projection/blocks/archived-rows.js';
import { eventArchive } from '../../../platform/objects/event-archive.js';
import { isIntact } from '../../../platform/objects/object-store.js';
import { type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';

/** The files of EVENT_ARCHIVE to which the database refers. */
export interface ArchivedFiles {
  readonly files: number;
  /** The names of files that are missing, or have other bytes than were written. */
  readonly damaged: readonly string[];
}

interface FileRow {
  readonly project_id: number;
  readonly id: string;
  readonly day: string;
  readonly bytes: number;
  readonly sha256: string;
}

const filesAtOnce = 1000;
/** Reads each file of some projects, one after the other. */
export const checkArchivedFiles = async (postgres: Queryable, projects: readonly number[]): Promise<ArchivedFiles> => {
  const damaged: string[] = [];
  let files = 0;
  for (const project of projects) {
    for await (const row of filesOf(postgres, project)) {
      files += 1;
      // A missing file is no damage if it was replaced meanwhile: then the database no longer refers to it.
      const bytes = await eventArchive().read(fileOf(row), row.bytes);
      if (!isIntact(bytes, { size: row.bytes, sha256: row.sha256 }) && (await isReferredTo(postgres, row)))
        damaged.push(fileOf(row));
    }
  }
  return { files, damaged };
};

async function* filesOf(postgres: Queryable, project: number): AsyncGenerator<FileRow> {
  for (let after = zeroUuid; ;) {
    const { rows } = await postgres.query<FileRow>(
      pgSql`SELECT project_id, id, day::text AS day, bytes, sha256 FROM event_archives
        WHERE project_id = ${bound(project)} AND state = 'ready' AND id > ${bound(after)}
        ORDER BY id LIMIT ${bound(filesAtOnce)}`,
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < filesAtOnce) return;
    after = last.id;
  }
}

const fileOf = ({ project_id: projectId, id, day }: FileRow): string => nameOf({ projectId, id, day });

const isReferredTo = async (postgres: Queryable, { project_id, id }: FileRow): Promise<boolean> => {
  const { rows } = await postgres.query(
    pgSql`SELECT 1 FROM event_archives WHERE project_id = ${bound(project_id)} AND id = ${bound(id)} AND state = 'ready'`,
  );
  return rows.length > 0;
};
