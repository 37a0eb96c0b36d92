import { describe, expect, it } from '@jest/globals';
import { sessionsOf } from '../../console/src/pages/persons/timeline/sessions.js';

const at = (time: string) => ({ timestamp: `2026-01-05T${time}.000Z` });

describe('the sessions of a timeline', () => {
  const events = ['12:00:00', '11:31:00', '11:01:00', '10:30:59', '10:30:59'].map(at);

  it('end at a pause of more than 30 minutes, and the oldest may go on', () => {
    expect(sessionsOf(events, true)).toEqual([
      { start: at('11:01:00').timestamp, end: at('12:00:00').timestamp, events: events.slice(0, 3), isWhole: true },
      { start: at('10:30:59').timestamp, end: at('10:30:59').timestamp, events: events.slice(3), isWhole: false },
    ]);
    expect(sessionsOf(events, false).map(({ isWhole }) => isWhole)).toEqual([true, true]);
    expect(sessionsOf([], false)).toEqual([]);
  });
});
