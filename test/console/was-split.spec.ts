import { describe, expect, it } from '@jest/globals';
import { wasSplit } from '../../console/src/pages/persons/distinct-ids/was-split.js';

const now = new Date('2026-11-25T12:00:00Z');
const entry = (activity: string, day: string) => ({ activity, created_at: `${day}T12:00:00.000Z` });
const more = '/api/projects/1/persons/2/activity?offset=2';

describe('the undo of a split', () => {
  it.each([
    ['without any entry', null, [], false],
    ['after other changes', null, [entry('updated', '2026-11-24')], false],
    ['after a split', null, [entry('updated', '2026-11-24'), entry('split_person', '2026-11-01')], true],
    // An earlier split, or one of a person that came back, may be open.
    ['after an undo', null, [entry('undo_split', '2026-11-24'), entry('split_person', '2026-11-01')], true],
    ['after an undo of a split that is too old', null, [entry('undo_split', '2026-11-01')], true],
    ['after a split that is too old', null, [entry('split_person', '2026-08-26')], false],
    [
      'after a split on the last day',
      null,
      [entry('split_person', '2026-08-26'), entry('split_person', '2026-08-27')],
      true,
    ],
    [
      'with more entries that may have one',
      more,
      [entry('updated', '2026-11-24'), entry('updated', '2026-11-23')],
      true,
    ],
    [
      'with more entries that are too old',
      more,
      [entry('updated', '2026-11-24'), entry('updated', '2026-08-01')],
      false,
    ],
  ])('%s', (_, next, results, isOffered) => {
    expect(wasSplit({ next, results }, now)).toBe(isOffered);
  });
});
