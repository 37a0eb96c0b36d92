import { Signal } from './signal.js';

/** Notified after each transaction of this process that may have written to PostgreSQL. */
export const commits = new Signal();
