import { sha256Of, type ObjectStore } from '../../platform/objects/object-store.js';
import { type PartitionPart, type Partition } from './partition-parts.js';
import { repeatedSince } from './partition.sql.js';
import { folderOf } from './periods.js';

/** Of the manifest, for readers. */
const schemaVersion = 1;

const extensions = { Parquet: 'parquet', JSONLines: 'jsonl' } as const;

interface WrittenFile {
  readonly path: string;
  readonly late: boolean;
  readonly records: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface WrittenPartition {
  readonly manifest: string;
  readonly files: number;
  readonly records: number;
  readonly bytes: number;
}

/**
 * Writes the files of a partition, and its manifest last. Nothing in them tells of the time or the attempt, so that the same
 * records make the same bytes.
 */
export const writePartition = async (
  store: ObjectStore,
  partition: Partition,
  parts: AsyncIterable<PartitionPart>,
  step: () => void,
): Promise<WrittenPartition> => {
  const { row, period } = partition;
  const { prefix, file_format } = row.destination;
  const root = row.model === 'cohort' ? `cohorts/${row.cohort_id}` : row.model;
  const folder = folderOf(period, row.interval);
  const numbers = { late: 0, onTime: 0 };
  const files: WrittenFile[] = [];
  for await (const { late, bytes, records } of parts) {
    step();
    const number = String((numbers[late ? 'late' : 'onTime'] += 1)).padStart(5, '0');
    const half = row.model === 'events' ? `/late=${late ? 1 : 0}` : '';
    const path = `${root}${half}/${folder}/part-${number}.${extensions[file_format]}`;
    await store.write(path, bytes);
    files.push({ path, late, records, bytes: bytes.length, sha256: sha256Of(bytes) });
  }
  step();
  const manifest = `${root}/_manifests/${folder}.json`;
  await store.write(manifest, Buffer.from(`${JSON.stringify(manifestOf(partition, files), null, 2)}\n`));
  const sum = (key: 'records' | 'bytes'): number => files.reduce((total, file) => total + file[key], 0);
  return {
    manifest: prefix === '' ? manifest : `${prefix}/${manifest}`,
    files: files.length,
    records: sum('records'),
    bytes: sum('bytes'),
  };
};

const manifestOf = ({ project, row, period, position }: Partition, files: readonly WrittenFile[]) => ({
  schema_version: schemaVersion,
  project_id: project.id,
  batch_export_id: row.id,
  model: row.model,
  ...(row.cohort_id !== null && { cohort_id: row.cohort_id }),
  interval: row.interval,
  period: { start: period.start.toISOString(), end: period.end.toISOString() },
  format: row.destination.file_format,
  ...(position && {
    position: { after: row.position, up_to: position },
    may_repeat_since: repeatedSince(position, row.position)?.toISOString() ?? null,
  }),
  records: files.reduce((total, { records }) => total + records, 0),
  files,
});
