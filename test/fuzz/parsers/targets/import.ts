import { recordOf } from '../../../../src/events/import/record.js';
import { isStorable } from '../../../../src/platform/time/dates.js';
import { assertStorable, isStorableText } from './events.js';
import { demand, assertEqual, type ParserTarget } from '../target.js';

const now = new Date('2026-03-01T12:00:00Z');

/** A line of an import is refused with a reason, or is a person or an event that both stores can hold. */
const target: ParserTarget = {
  maxBytes: 2048,
  words: [
    ...['"type":"event"', '"type":"person"', '"distinct_ids"', '"created_at"', '"is_identified"', '"changes_persons"'],
    ...[
      '"event"',
      '"distinct_id"',
      '"properties"',
      '"timestamp"',
      '"$set"',
      '"uuid"',
      '"__proto__"',
      '\\u0000',
      '\\ud800',
    ],
  ],
  run: (input) => {
    const record = recordOf(input, { applyPersonProperties: true, createPersons: true }, now);
    if (record.kind === 'refused') demand(record.detail !== '' && record.code !== '', 'a refusal has a reason');
    else if (record.kind === 'event') assertStorable({ ok: true, event: record.event });
    else {
      const { distinctIds, properties, createdAt } = record.person;
      demand(distinctIds.length > 0 && distinctIds.every((id) => id !== ''), 'a person has ids');
      demand(isStorable(createdAt.getTime()), 'a person has a time that can be stored');
      demand(isStorableText([distinctIds, properties]), 'a person has only texts that can be stored');
      assertEqual(JSON.parse(JSON.stringify(properties)), properties, 'properties are JSON');
    }
  },
};

export default target;
