import { expect, it } from '@jest/globals';
import { DatabaseError } from 'pg';
import { answeredError, ClickHouseUnavailable, writeError } from '../../../platform/clickhouse/errors.js';
import { ArchiveUnavailable } from '../../../platform/objects/event-archive.js';
import { LeaseLost } from '../../../platform/postgres/lease.js';
import { causeOf, mayLieInShipment } from './faults.js';

const engineError = (code: string, message = 'refused') => writeError(answeredError(message, code));
const ofPostgres = (code: string) => Object.assign(new DatabaseError('canceling statement', 20, 'error'), { code });

it.each([
  ['nothing answers', writeError(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })), 'unreachable'],
  ['it does not finish', new ClickHouseUnavailable('ClickHouse did not finish in time'), 'unreachable'],
  ['it answers no more than a text', writeError(new Error('413 Payload Too Large')), 'refused'],
  ['its disk is full', engineError('243'), 'refused'],
  ['a row is refused', engineError('27'), 'refused'],
  ['the server is out of memory', engineError('241', 'Memory limit (total) exceeded'), 'memory'],
  ['the statement needs too much memory', engineError('241', 'Memory limit (for query) exceeded'), 'memory'],
  ['another process took over', new LeaseLost('projection'), 'lease'],
  ['a file of older events is away', new ArchiveUnavailable('no folder'), 'archive'],
  ['PostgreSQL is away', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'postgres'],
  ['a statement of PostgreSQL takes too long', ofPostgres('57014'), 'postgres'],
  ['there is a defect', new TypeError('undefined is not a function'), 'other'],
])('when %s, a shipment fails by the cause that operators read', (_, error, cause) => {
  expect(causeOf(error)).toBe(cause);
});

it.each(['57014', '40001', '40P01', '55P03'])('a shipment is not blamed for the error %s of PostgreSQL', (code) => {
  expect(mayLieInShipment(ofPostgres(code))).toBe(false);
});
