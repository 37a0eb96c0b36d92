import { withMutant } from './mutants.mjs';

/**
 * Mutants that cannot change any answer, so that no spec could notice them. Each `change` is a piece of the file that occurs once,
 * and the same piece with the mutant.
 */
export const equivalents = [
  {
    file: 'src/common/time/intervals.ts',
    why: 'The offsets and zones are remembered to save time, and computed again where they are not.',
    changes: [
      ['zones.set(timezone, zone);', ';'],
      ['if (zone.isUniversal)', 'if (true)'],
      ['if (zone.isUniversal)', 'if (false)'],
      ['offset === offsetAtStart(day + 1, zone) ? offset', 'false ? offset'],
      ['if (known !== undefined) return known', 'if (false) return known'],
      ['days.size >= maxRememberedDays', 'days.size > maxRememberedDays'],
      ['days.size >= maxRememberedDays', 'days.size < maxRememberedDays'],
      ['if (days.size >= maxRememberedDays)', 'if (true)'],
      ['if (days.size >= maxRememberedDays)', 'if (false)'],
    ],
  },
  {
    file: 'src/common/time/intervals.ts',
    why: 'Halving ends at the same moment whichever middle is taken.',
    changes: [['Math.floor((low + high) / 2)', 'Math.ceil((low + high) / 2)']],
  },
  {
    file: 'src/common/time/range.ts',
    why: 'A text that is no date was refused before, and no date ends like this.',
    changes: [
      ['const counted = /^-?\\d+[dwmqy]$/', 'const counted = /-?\\d+[dwmqy]$/'],
      ['const short = /^-?(\\d+)([hMs])$/', 'const short = /-?(\\d+)([hMs])$/'],
    ],
  },
  {
    file: 'src/analytics/retention/retention.sql.ts',
    why: 'One occurrence is enough in both forms of the statement; the other is faster.',
    changes: [
      ['return q.minimumOccurrences > 1 ?', 'return true ?'],
      ['q.minimumOccurrences > 1', 'q.minimumOccurrences >= 1'],
    ],
  },
  {
    file: 'src/analytics/retention/retention.sql.ts',
    why: 'The rows have passed the filter already.',
    changes: [['    isEver\n      ? sql`(${matchesEntity', '    true\n      ? sql`(${matchesEntity']],
  },
  {
    file: 'src/analytics/retention/retention.sql.ts',
    why: 'The names of the events decide already, so every row is a target or a returning event.',
    changes: [['return areNamesOnly([target, returning]) ?', 'return false ?']],
  },
  {
    file: 'src/analytics/retention/retention.sql.ts',
    why: 'The statement for two different entities gives the same for equal ones, in more time.',
    changes: [["if (q.beginning === 'recurring' && isSame(q))", 'if (false)']],
  },
  {
    file: 'src/analytics/retention/retention.sql.ts',
    why: 'What is seen in the first interval decides nothing: whoever begins there counts there anyway.',
    changes: [
      ['(is_returning AND e.timestamp >= ${', '(is_returning AND e.timestamp > ${'],
      ['is_returning AND at >= ${', 'is_returning AND at > ${'],
      ['place >= 0 AND returns', 'place > 0 AND returns'],
    ],
  },
  {
    file: 'src/analytics/retention/retention.sql.ts',
    why: 'More rows are read, and the aggregates look at the same ones.',
    changes: [['(is_returning AND e.timestamp', '(is_returning OR e.timestamp']],
  },
  {
    file: 'src/analytics/retention/retention.sql.ts',
    why: 'The cell of the beginning holds everybody in its row.',
    changes: [['    q.returnInterval === 0 ?', '    false ?']],
  },
  {
    file: 'src/analytics/lifecycle/lifecycle.sql.ts',
    why: 'A project that overrides no distinct id has no row in the table of these.',
    changes: [['(overridden ? [sql`distinct', '(true ? [sql`distinct']],
  },
  {
    file: 'src/analytics/lifecycle/lifecycle.sql.ts',
    why: 'No actor is 0: persons have positive ids, and actors without a person negative ones.',
    changes: [
      ['if(a.actor < 0', 'if(a.actor <= 0'],
      ['WHERE actor < 0', 'WHERE actor <= 0'],
      ['AND actor < 0 LIMIT', 'AND actor <= 0 LIMIT'],
    ],
  },
  {
    file: 'src/analytics/lifecycle/lifecycle.sql.ts',
    why: 'No actor is without a profile where the project has none, so the join finds nothing.',
    changes: [
      ['${project} AND actor < 0 LIMIT', '${project} OR actor < 0 LIMIT'],
      ['${hasPersonless ? personless(', '${true ? personless('],
    ],
  },
  {
    file: 'src/analytics/lifecycle/lifecycle.sql.ts',
    why: 'The service takes the numbers of its points only.',
    changes: [
      ['arrayFilter(place -> place > 0', 'arrayFilter(place -> place >= 0'],
      ['place < ${unsigned(points', 'place <= ${unsigned(points'],
    ],
  },
];

/** The text of the file with the change. */
export const changed = (text, [code, mutated]) => text.replace(code, () => mutated);

export const isEquivalent = (file, text, mutant) =>
  equivalents
    .filter((entry) => entry.file === file)
    .some(({ changes }) => changes.some((change) => changed(text, change) === withMutant(text, mutant)));
