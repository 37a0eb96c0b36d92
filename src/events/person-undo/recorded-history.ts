import { type ClientBase } from 'pg';
import { type StateSource } from '../../persons/undo/history-plan.js';
import { type LoggedChange } from '../../persons/undo/replay.js';
import {
  type MergeRecord,
  mergeRecordsOf,
  type OwnedId,
  placedIdsOf,
  type RecordedState,
  recordedState,
} from '../../persons/undo/merge-records.js';
import { type SplitRecord, splitRecordsOf, stateBeforeSplit } from '../../persons/undo/split-records.js';
import { readEventsSince } from './events-since.js';

/** What an undo reads: the records, the log, and whose the distinct ids are. */
export interface RecordedHistory {
  /** Every record about the person or a part of it, in the order of the merges. */
  merges(person: string): Promise<MergeRecord[]>;
  /** The splits of the persons and their parts, in the order in which they happened, and what they are by splits of others. */
  splits(persons: readonly string[]): Promise<SplitRecord[]>;
  /** The distinct ids of the persons, and the others, with their positions. */
  ids(persons: readonly string[], others: readonly string[]): Promise<OwnedId[]>;
  state(source: StateSource): Promise<RecordedState>;
  /** The events of some distinct ids, in the order in which they were received. */
  events(distinctIds: readonly string[], since: Date, take: (event: LoggedChange) => void): Promise<void>;
}

/** Reads in the transaction of the undo. */
export class StoredHistory implements RecordedHistory {
  constructor(
    private readonly client: ClientBase,
    private readonly projectId: number,
  ) {}

  merges(person: string): Promise<MergeRecord[]> {
    return mergeRecordsOf(this.client, this.projectId, person);
  }

  splits(persons: readonly string[]): Promise<SplitRecord[]> {
    return splitRecordsOf(this.client, this.projectId, persons);
  }

  ids(persons: readonly string[], others: readonly string[]): Promise<OwnedId[]> {
    return placedIdsOf(this.client, this.projectId, persons, others);
  }

  async state(source: StateSource): Promise<RecordedState> {
    if ('merge' in source) return recordedState(this.client, this.projectId, source.merge, source.side);
    const state = await stateBeforeSplit(this.client, this.projectId, source.split);
    if (!state) throw new Error(`Split ${source.split} is no longer recorded`);
    return state;
  }

  events(distinctIds: readonly string[], since: Date, take: (event: LoggedChange) => void): Promise<void> {
    return readEventsSince(this.client, this.projectId, { distinctIds, since }, take);
  }
}
