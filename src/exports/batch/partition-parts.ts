import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type CurrentMembers } from '../../kernel/memberships/current-members.js';
import { join, sql } from '../../platform/clickhouse/sql.js';
import { unavailable } from '../../platform/errors/problem.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { eventTable } from '../events/event-table.js';
import { type Chunk, type Walk } from '../files/chunk.js';
import { type TableStores } from '../files/table-chunk.js';
import { personLines } from '../persons/person-lines.js';
import { mostPersonsOfParquet, personTable } from '../persons/person-table.js';
import { type BatchPosition } from './batch-export.entity.js';
import { type BatchExportRow } from './batch-exports.repository.js';
import { inPartition, isOutside } from './partition.sql.js';
import { type Period } from './periods.js';

/** The content of one file. */
export interface PartitionPart {
  /** True for events whose own time is in another period. */
  readonly late: boolean;
  readonly bytes: Uint8Array;
  readonly records: number;
}

export interface Partition {
  readonly project: ProjectContext;
  readonly row: BatchExportRow;
  readonly period: Period;
  /** Null for persons, who are written as they are now. */
  readonly position: BatchPosition | null;
}

interface Sources extends TableStores {
  readonly members: CurrentMembers;
}

/** A cohort that can no longer be exported, until a user corrects something. */
export class CohortGone extends Error {}

/** Lines are gathered until a file has about this many bytes. */
const bytesOfLines = 8 * 1024 ** 2;

/** The files of a partition, in an order that depends on its records alone. */
export const partitionParts = (sources: Sources, partition: Partition): AsyncGenerator<PartitionPart> => {
  const { row, position } = partition;
  if (position !== null) return eventParts(sources, partition, position);
  return row.model === 'cohort' ? memberParts(sources, partition) : personParts(sources, partition);
};

const wholeWalk = (project: ProjectContext): Walk => ({
  projectId: project.id,
  ...{ after: null, before: null, cursor: null, limit: null },
});

async function* eventParts(
  sources: Sources,
  partition: Partition,
  position: BatchPosition,
): AsyncGenerator<PartitionPart> {
  const { project, row, period } = partition;
  const format = row.destination.file_format === 'Parquet' ? 'parquet' : 'ndjson';
  const condition = inPartition(position, row.position);
  // The times of events have milliseconds, and both bounds of a walk exclude theirs.
  const onTime = { after: new Date(period.start.getTime() - 1), before: period.end, condition };
  const late = { condition: join([condition, isOutside(period)], sql` AND `) };
  for (const [isLate, walk] of [[false, onTime] as const, [true, late] as const]) {
    const chunks = eventTable(sources, project, { ...wholeWalk(project), ...walk }, format);
    yield* filesOf(chunks, isLate);
  }
}

const personParts = (
  sources: Sources,
  { project, row }: Partition,
  persons?: readonly string[],
): AsyncGenerator<PartitionPart> => {
  const walk = { ...wholeWalk(project), ...(persons && { persons }) };
  return row.destination.file_format === 'Parquet'
    ? filesOf(personTable(sources, project, walk, 'parquet'), false)
    : gathered(personLines(sources.postgres, walk));
};

async function* memberParts(sources: Sources, partition: Partition): AsyncGenerator<PartitionPart> {
  const { project, row } = partition;
  const { rows } = await sources.postgres.query<{
    id: number;
    version: number | null;
    group_type_index: number | null;
  }>(
    pgSql`SELECT id, version, group_type_index FROM cohorts
     WHERE project_id = ${bound(project.id)} AND id = ${bound(row.cohort_id)} AND NOT deleted`,
  );
  const [cohort] = rows;
  if (!cohort) throw new CohortGone(`Cohort ${row.cohort_id} is deleted: restore it, or delete this batch export`);
  if (cohort.version === null) throw unavailable('The cohort has no members yet: its first calculation is not done');
  let ids: string[] = [];
  for await (const { value } of sources.members.all(project, cohort)) {
    ids.push(String(value));
    if (ids.length < mostPersonsOfParquet) continue;
    yield* personParts(sources, partition, ids);
    ids = [];
  }
  if (ids.length > 0) yield* personParts(sources, partition, ids);
}

const bytesOf = (bytes: string | Uint8Array): Uint8Array => (typeof bytes === 'string' ? Buffer.from(bytes) : bytes);

/** Each chunk is a file. */
async function* filesOf(chunks: AsyncGenerator<Chunk>, late: boolean): AsyncGenerator<PartitionPart> {
  for await (const { bytes, records } of chunks) if (records > 0) yield { late, bytes: bytesOf(bytes), records };
}

async function* gathered(chunks: AsyncGenerator<Chunk>): AsyncGenerator<PartitionPart> {
  let [held, bytes, records] = [[] as Uint8Array[], 0, 0];
  const part = (): PartitionPart => ({ late: false, bytes: Buffer.concat(held), records });
  for await (const chunk of chunks) {
    const more = bytesOf(chunk.bytes);
    held.push(more);
    bytes += more.length;
    records += chunk.records;
    if (bytes < bytesOfLines) continue;
    yield part();
    [held, bytes, records] = [[], 0, 0];
  }
  if (bytes > 0) yield part();
}
