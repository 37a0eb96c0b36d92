import { type FilterScope, filterSql } from '../../../../src/filters/compile/compile.sql.js';
import { assertWithinLimits } from '../../../../src/filters/reading/filter-limits.js';
import { leavesOf } from '../../../../src/filters/reading/filter.js';
import { parseFilters } from '../../../../src/filters/reading/filter-fields.js';
import { compile, sql } from '../../../../src/platform/clickhouse/sql.js';
import { acceptedBy, demand, assertEqual, type ParserTarget } from '../target.js';

const scope: FilterScope = {
  projectId: 2,
  now: new Date('2026-03-01T12:00:00Z'),
  timezone: 'America/New_York',
  actor: sql`actor`,
  event: {
    event: sql`event`,
    timestamp: sql`timestamp`,
    distinctId: sql`distinct_id`,
    properties: sql`properties`,
    groups: sql`groups`,
  },
  person: null,
  cohorts: new Map(),
};

/** Filters are refused, or compile to one statement; an accepted text means the same when it is written again. */
const target: ParserTarget = {
  maxBytes: 2048,
  words: [
    ...['"key"', '"value"', '"operator"', '"type"', '"values"', '"AND"', '"OR"', '"person"', '"event"', '"cohort"'],
    ...[
      '"event_metadata"',
      '"timestamp"',
      '"exact"',
      '"is_not"',
      '"icontains"',
      '"regex"',
      '"gt"',
      '"lte"',
      '"between"',
    ],
    ...['"is_set"', '"is_not_set"', '"is_date_before"', '"is_date_after"', '"is_date_exact"', '"negation"', '"in"'],
    ...['"at":"event"', '"-7d"', '"2024-03-01"', '__gte', '__icontains', '"static-cohort"', 'null', 'true', '1e999'],
  ],
  run: (input) => {
    const text = input.toString('utf8');
    const read = (value: unknown) =>
      parseFilters(value, 'properties', {
        defaultType: text.length % 2 === 0 ? 'event' : 'person',
        allowed: ['event', 'person', 'cohort', 'event_metadata'],
      });
    const filter = acceptedBy(() => read(text));
    if (filter === null) return;
    acceptedBy(() => assertWithinLimits(filter, 'properties'));
    const named = leavesOf(filter).flatMap((leaf) => (leaf.kind === 'cohort' ? [leaf.cohortId] : []));
    const cohorts = new Map(named.map((id) => [id, { version: 1, groupType: null }]));
    const compiled = acceptedBy(() => compile(filterSql(filter, { ...scope, cohorts })));
    if (compiled) demand(compiled.query !== '', 'a filter has a condition');
    if (text.trim() !== '') assertEqual(read(JSON.parse(text)), filter, 'a value means what its text means');
  },
};

export default target;
