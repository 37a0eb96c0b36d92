import { type ClientBase } from 'pg';
import { recordActivity, type ActivityAuthor } from '../../kernel/activity/record-activity.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { type ImportCounts } from './import-run.js';

/** Writes the activity entry of an import, unless the import was empty. */
export const recordImport = (
  postgres: Postgres,
  project: { readonly id: number },
  counts: ImportCounts & { readonly rejected: number },
  author: ActivityAuthor & { readonly importId: string },
): Promise<void> => postgres.transaction((client) => importActivity(client, project, counts, author));

/** Writes the entry in the transaction of the caller. */
export const importActivity = async (
  client: ClientBase,
  project: { readonly id: number },
  counts: ImportCounts & { readonly rejected: number },
  { importId, ...author }: ActivityAuthor & { readonly importId: string },
): Promise<void> => {
  if (Object.values(counts).every((count) => count === 0)) return;
  const change = { type: 'Import', action: 'imported', field: null, before: null, after: { ...counts } } as const;
  const activity = { scope: 'Import', itemId: importId, activity: 'imported', name: null, changes: [change] } as const;
  await recordActivity(client, project, activity, author);
};
