import { eventLines } from './events/event-lines.js';
import { eventTable, mostRowsOfParquet } from './events/event-table.js';
import { groupLines } from './groups/group-lines.js';
import { groupTable, mostGroupsOfParquet } from './groups/group-table.js';
import { personLines } from './persons/person-lines.js';
import { mostPersonsOfParquet, personTable } from './persons/person-table.js';

/** The kinds of exports, each with its writer. */
export const exportKinds = {
  events: { lines: eventLines, table: eventTable, mostOfParquet: mostRowsOfParquet },
  persons: { lines: personLines, table: personTable, mostOfParquet: mostPersonsOfParquet },
  groups: { lines: groupLines, table: groupTable, mostOfParquet: mostGroupsOfParquet },
} as const;

export type ExportKind = keyof typeof exportKinds;
