import { withMutant } from './mutants.mjs';

/**
 * Mutants that cannot change any answer, so that no spec could notice them. Each `change` is a piece of the file that occurs once,
 * and the same piece with the mutant.
 */
export const equivalents = [
  {
    file: 'src/platform/time/intervals.ts',
    why: 'The offsets and zones are remembered to save time, and computed again where they are not.',
    changes: [
      ['zones.set(timezone, zone);', ';'],
      ['if (zone.isUniversal)', 'if (true)'],
      ['if (zone.isUniversal)', 'if (false)'],
      ['offset === offsetAtStart(day + 1, zone) ? offset', 'false ? offset'],
      ['remembered.set(zone.name, days.set(day, offset));', ';'],
      ['if (known !== undefined) return known', 'if (false) return known'],
      ['days.size >= maxRememberedDays', 'days.size > maxRememberedDays'],
      ['days.size >= maxRememberedDays', 'days.size < maxRememberedDays'],
      ['if (days.size >= maxRememberedDays)', 'if (true)'],
      ['if (days.size >= maxRememberedDays)', 'if (false)'],
    ],
  },
  {
    file: 'src/platform/time/intervals.ts',
    why: 'Halving ends at the same moment whichever middle is taken.',
    changes: [['Math.floor((low + high) / 2)', 'Math.ceil((low + high) / 2)']],
  },
  {
    file: 'src/platform/time/intervals.ts',
    why: 'The search finds the change of clocks before both moments, because no second change is that near.',
    changes: [['changeOfClocks(at.getTime(), next - 1', 'changeOfClocks(at.getTime(), next + 1']],
  },
  {
    file: 'src/platform/time/range.ts',
    why: 'A text that is no date was refused before, and no date ends like this.',
    changes: [
      ['const counted = /^-?\\d+[dwmqy]$/', 'const counted = /-?\\d+[dwmqy]$/'],
      ['const short = /^-?(\\d+)([hMs])$/', 'const short = /-?(\\d+)([hMs])$/'],
    ],
  },
  {
    file: 'src/analytics/retention/presence.sql.ts',
    why: 'One occurrence is enough in both forms of the statement; the other is faster.',
    changes: [
      ['= q.minimumOccurrences > 1 ?', '= true ?'],
      ['q.minimumOccurrences > 1', 'q.minimumOccurrences >= 1'],
    ],
  },
  {
    file: 'src/analytics/retention/presence.sql.ts',
    why: 'The rows have passed the filter already.',
    changes: [['    isEver\n      ? sql`(${matchesEntity', '    true\n      ? sql`(${matchesEntity']],
  },
  {
    file: 'src/analytics/retention/presence.sql.ts',
    why: 'The names of the events decide already, so every row is a target or a returning event.',
    changes: [['return areNamesOnly([target, returning]) ?', 'return false ?']],
  },
  {
    file: 'src/analytics/retention/presence.sql.ts',
    why: 'The statement for two different entities gives the same for equal ones, in more time.',
    changes: [["if (q.start === 'recurring' && isSame(q))", 'if (false)']],
  },
  {
    file: 'src/analytics/retention/presence.sql.ts',
    why: 'What is seen in the first interval decides nothing: whoever begins there counts there anyway.',
    changes: [
      ['(is_returning AND e.timestamp >= ${', '(is_returning AND e.timestamp > ${'],
      ['is_returning AND at >= ${', 'is_returning AND at > ${'],
      ['place >= 0 AND returns', 'place > 0 AND returns'],
    ],
  },
  {
    file: 'src/analytics/retention/presence.sql.ts',
    why: 'More rows are read, and the aggregates look at the same ones.',
    changes: [['(is_returning AND e.timestamp', '(is_returning OR e.timestamp']],
  },
  {
    file: 'src/analytics/retention/retention.sql.ts',
    why: 'The cell of the beginning holds everybody in its row.',
    changes: [['    q.returnInterval === 0 ?', '    false ?']],
  },
  {
    file: 'src/analytics/stickiness/stickiness.sql.ts',
    why: 'The general statement gives the same for one event or more, in more time.',
    changes: [["if (q.criteria.operator === 'gte' && q.criteria.value === 1)", 'if (false)']],
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
      ['${hasProfileless ? profileless(', '${true ? profileless('],
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
  {
    file: 'src/filters/warnings/question-warnings.ts',
    why: 'Only the key is asked for.',
    changes: [['this.arrived.set(keyOf(name), true)', 'this.arrived.set(keyOf(name), false)']],
  },
  {
    file: 'src/filters/warnings/unknown-properties.ts',
    why: 'Only the key is asked for.',
    changes: [['this.found.set(key, true)', 'this.found.set(key, false)']],
  },
  {
    file: 'src/filters/warnings/unknown-properties.ts',
    why: 'Names that no hint needs are only read in vain.',
    changes: [
      ["event: misspelt.some(({ source }) => source === 'event') ?", 'event: true ?'],
      ["person: misspelt.some(({ source }) => source === 'person') ?", 'person: true ?'],
    ],
  },
  {
    file: 'src/filters/checks/filter-checks.ts',
    why: 'Without this, the statement looks for no cohort and finds none.',
    changes: [['if (leaves.length === 0) return noCohorts;', 'if (false) return noCohorts;']],
  },
  {
    file: 'src/filters/compile/operators.sql.ts',
    why: 'A column without NULL gives the same with a default for NULL, which only hinders its index.',
    changes: [
      ['storedText: column,\n  nullable: false', 'storedText: column,\n  nullable: true'],
      ['storedText: written, nullable: false', 'storedText: written, nullable: true'],
    ],
  },
  {
    file: 'src/filters/compile/operators.sql.ts',
    why: 'What is never NULL gives the same with a default for NULL.',
    changes: [['return operand.nullable || !plain.includes(operator) ?', 'return true ?']],
  },
  {
    file: 'src/filters/compile/operators.sql.ts',
    why: 'The values that are stored as text are a part of all values as text, and faster to read.',
    changes: [
      ['texts.every(isTextOnly) ?', 'false ?'],
      ['/^([-+.', '/([-+.'],
    ],
  },
  {
    file: 'src/kernel/identity/person-group.ts',
    why: 'The same moment replaces itself.',
    changes: [['time.getTime() < this.createdAt', 'time.getTime() <= this.createdAt']],
  },
  {
    file: 'src/kernel/identity/person-properties.ts',
    why: 'The size is computed once the bound is above the limit, and the bound never falls.',
    changes: [['if (this.bytes === null)', 'if (true)']],
  },
  {
    file: 'src/kernel/identity/person-properties.ts',
    why: 'The bound of the size only saves time: the size itself decides the same.',
    changes: [
      ['if (this.bytes === null)', 'if (false)'],
      ['if (this.bytesAtMost <= maxPersonPropertiesBytes)', 'if (false)'],
      ['this.bytesAtMost <= maxPersonPropertiesBytes', 'this.bytesAtMost < maxPersonPropertiesBytes'],
    ],
  },
  {
    file: 'src/kernel/identity/person-properties.ts',
    why: 'A copy of the stored properties is equal to them.',
    changes: [['if (!this.isChanged) return this.stored', 'if (false) return this.stored']],
  },
  {
    file: 'src/cohorts/definition/read-definition.ts',
    why: 'The copy of a group is equal to the group; only the compiler needs it.',
    changes: [["if (filter.kind !== 'group') return filter", 'if (true) return filter']],
  },
  {
    file: 'src/analytics/paths/items.sql.ts',
    why: 'The names only save reading: the entities themselves are asked for too.',
    changes: [['names = events.length === 0 ?', 'names = true ?']],
  },
  {
    file: 'src/analytics/paths/items.sql.ts',
    why: 'Nothing is in an empty list.',
    changes: [['= literal.length === 0 ?', '= false ?']],
  },
  {
    file: 'src/analytics/trends/breakdown.sql.ts',
    why: 'Nothing is in an empty list.',
    changes: [['return values.keys.length === 0 ?', 'return false ?']],
  },
  {
    file: 'src/analytics/paths/items.sql.ts',
    why: 'An event that the question does not include is not read, so its case never applies.',
    changes: [['return isIn ?', 'return true ?']],
  },
  {
    file: 'src/analytics/paths/paths.sql.ts',
    why: 'Every session has a place, and a session of one place has no edge.',
    changes: [
      ['= shortest > 1 ?', '= true ?'],
      ['= shortest > 1 ?', '= false ?'],
      ['shortest > 1', 'shortest >= 1'],
      ['shortest > 1', 'shortest <= 1'],
    ],
  },
  {
    file: 'src/analytics/trends/breakdown.sql.ts',
    why: 'Without cohorts there is one combination of none, and without "all" nothing to put before the places.',
    changes: [
      ['cohortParts(breakdown).length > 0', 'cohortParts(breakdown).length >= 0'],
      ['(ofEveryone.length === 0 ?', '(false ?'],
    ],
  },
  {
    file: 'src/analytics/trends/trends.rows.sql.ts',
    why: 'The events are those of the one span already.',
    changes: [['spans.length === 1 ? where', 'false ? where']],
  },
  {
    file: 'src/analytics/trends/trends.sql.ts',
    why: 'The events are those of the one series already.',
    changes: [['series.length === 1 ? null', 'false ? null']],
  },
  {
    file: 'src/analytics/funnel/events.sql.ts',
    why: 'An event that converts no step changes no attempt, and an actor without an attempt is dropped later.',
    changes: [
      ["orderType === 'strict' || areNamesOnly(entities) ? empty", 'true ? empty'],
      [' AND mask > 0', ' AND mask >= 0'],
    ],
  },
  {
    file: 'src/analytics/funnel/attempts.sql.ts',
    why: 'The statement for every funnel gives the same for the usual one, in twice the time.',
    changes: [['if (isSimple(layout))', 'if (false)']],
  },
  {
    file: 'src/analytics/funnel/attempts.sql.ts',
    why: 'Without exclusions and optional steps there is no column to add.',
    changes: [['if (carried.length === 0)', 'if (false)']],
  },
  {
    file: 'src/analytics/funnel/unordered.sql.ts',
    why: 'The step that chooses first has no rival, so there always is a free one.',
    changes: [
      ['if (free.length > 0)', 'if (true)'],
      ['free.length > 0', 'free.length >= 0'],
    ],
  },
];

/** The text of the file with the change. */
export const changed = (text, [code, mutated]) => text.replace(code, () => mutated);

export const isEquivalent = (file, text, mutant) =>
  equivalents
    .filter((entry) => entry.file === file)
    .some(({ changes }) => changes.some((change) => changed(text, change) === withMutant(text, mutant)));
