import { type IncomingMessage, type ServerResponse } from 'node:http';
import { RequestProperty } from './request-property.js';

const counts = new RequestProperty<number>('sent rows');

/** Call it before rows of a list or of a file are sent: the audit trail says how many they were. */
export const countRows = ({ req }: Pick<ServerResponse, 'req'>, rows: number): void => {
  counts.set(req, (counts.get(req) ?? 0) + rows);
};

/** Null for an answer that is no list. An answer that was interrupted may have had fewer. */
export const sentRowsOf = (request: IncomingMessage): number | null => counts.get(request) ?? null;
