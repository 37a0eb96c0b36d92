import { eventLines } from './event-lines.js';
import { eventTable, mostRowsOfParquet } from './event-table.js';
import { personLines } from './person-lines.js';
import { mostPersonsOfParquet, personTable } from './person-table.js';

/** What can be exported, and what writes it. */
export const exportKinds = {
  events: { lines: eventLines, table: eventTable, mostOfParquet: mostRowsOfParquet },
  persons: { lines: personLines, table: personTable, mostOfParquet: mostPersonsOfParquet },
} as const;

export type ExportKind = keyof typeof exportKinds;
