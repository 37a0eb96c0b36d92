import { type ClientBase } from 'pg';
import { idsToRecord, type MergeToRecord } from './record-merges.js';
import { type DecidedMerge, type MadePerson } from './decide.js';
import { type WorkingPersonRef } from './people.js';
import { personUuid } from './person-uuid.js';
import { type Reserved } from './reserve.js';

interface Rows {
  readonly planned: readonly MadePerson[];
  readonly reserved: Reserved;
  /** Whether the event log holds the events. */
  readonly inLog: boolean;
}

/** The decided merges with the ids of their persons. A person that was made for an event and merged by the next has an id too. */
export const decidedMerges = async (
  client: ClientBase,
  projectId: number,
  merges: readonly DecidedMerge[],
  { planned, reserved, inLog }: Rows,
): Promise<MergeToRecord[]> => {
  if (merges.length === 0) return [];
  const withRow = new Set(planned.map(({ distinctId }) => distinctId));
  const madeFor = new Map<string, string | null>();
  for (const { merged, into } of merges) {
    for (const ref of [merged, into]) {
      if ('madeFor' in ref)
        madeFor.set(ref.madeFor, (withRow.has(ref.madeFor) && reserved.rows.get(ref.madeFor)) || null);
    }
  }
  const without = [...madeFor].flatMap(([distinctId, row]) => (row === null ? [distinctId] : []));
  const ids = await idsToRecord(client, { persons: without.length, merges: merges.length });
  without.forEach((distinctId, at) => madeFor.set(distinctId, ids.persons[at] ?? ''));
  const idOf = (ref: WorkingPersonRef): string => ('stored' in ref ? ref.stored : (madeFor.get(ref.madeFor) ?? ''));
  return merges.map(({ merged, into, mergedCreatedAt, intoCreatedAt, newIds, kind, eventUuid }, at) => ({
    merge_id: ids.merges[at] ?? '',
    survivor: idOf(into),
    merged: idOf(merged),
    survivor_made_at: 'madeFor' in into ? intoCreatedAt : null,
    merged_made_at: 'madeFor' in merged ? mergedCreatedAt : null,
    merged_uuid: 'madeFor' in merged ? personUuid(projectId, merged.madeFor) : null,
    new_ids: newIds,
    reason: inLog || kind === 'import' ? kind : 'by_hand',
    event_uuid: inLog ? eventUuid : null,
  }));
};
