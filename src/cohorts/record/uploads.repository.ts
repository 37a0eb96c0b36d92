import { type ClientBase } from 'pg';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { maxUnmatched, type Unmatched, type UploadCounts } from './upload-counts.js';

export const unmatchedLifetimeDays = 90;
const dayMs = 86_400_000;

/**
 * Replaces the report of the last upload by an empty one for a new upload, and returns the number of that upload. The cohort's
 * row must be locked or new.
 */
export const startUpload = async (
  client: ClientBase,
  projectId: number,
  cohortId: number,
  now: Date,
): Promise<number> => {
  const { rows } = await client.query<{ number: number }>(
    pgSql`INSERT INTO cohort_uploads AS u (project_id, cohort_id, number, uploaded_at)
     VALUES (${bound(projectId)}, ${bound(cohortId)}, 1, ${bound(now)})
     ON CONFLICT (project_id, cohort_id) DO UPDATE SET number = u.number + 1, uploaded_at = EXCLUDED.uploaded_at,
       rows = 0, matched = 0, unknown = 0, duplicates = 0, unmatched = '[]'
     RETURNING number`,
  );
  return rows[0]?.number ?? 1;
};

export const addUploadedRows = async (
  client: ClientBase,
  projectId: number,
  cohortId: number,
  upload: number,
  uploaded: number,
): Promise<void> => {
  await client.query(
    pgSql`UPDATE cohort_uploads SET rows = rows + ${bound(uploaded)}
     WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)} AND number = ${bound(upload)}`,
  );
};

/** Adds the results of candidates to the report of their upload. Does nothing if a later upload has replaced the report. */
export const addUploadCounts = async (
  client: ClientBase,
  projectId: number,
  cohortId: number,
  upload: number,
  { matched, unknown, duplicates, unmatched }: UploadCounts,
): Promise<void> => {
  // The last addition may exceed the maximum; readers cut the list.
  await client.query(
    pgSql`UPDATE cohort_uploads SET matched = matched + ${bound(matched)}, unknown = unknown + ${bound(unknown)},
       duplicates = duplicates + ${bound(duplicates)},
       unmatched = CASE WHEN jsonb_array_length(unmatched) < ${bound(maxUnmatched)}
         THEN unmatched || ${bound(JSON.stringify(unmatched))}::jsonb ELSE unmatched END
     WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)} AND number = ${bound(upload)}`,
  );
};

/** Forgets old values that name no person. They may be personal data, so they are kept no longer than ingestion warnings. */
export const forgetOldUnmatched = async (postgres: Queryable, now: Date): Promise<void> => {
  const oldest = new Date(now.getTime() - unmatchedLifetimeDays * dayMs);
  await postgres.query(
    pgSql`UPDATE cohort_uploads SET unmatched = '[]' WHERE uploaded_at < ${bound(oldest)} AND unmatched <> '[]'`,
  );
};

export interface StoredUpload {
  readonly rows: string;
  readonly matched: string;
  readonly unknown: string;
  readonly duplicates: string;
  readonly uploaded_at: Date;
  readonly unmatched: readonly Unmatched[];
}

/** Returns null when nothing was uploaded to the cohort. */
export const findUpload = async (
  postgres: Queryable,
  projectId: number,
  cohortId: number,
): Promise<StoredUpload | null> => {
  const { rows } = await postgres.query<StoredUpload>(
    pgSql`SELECT rows, matched, unknown, duplicates, uploaded_at, unmatched FROM cohort_uploads
     WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)}`,
  );
  return rows[0] ?? null;
};
