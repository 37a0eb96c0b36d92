import { type Migration } from './migrate.js';

/** What was released is never edited: a change is a new entry at the end. */
export const migrations: readonly Migration[] = [];
