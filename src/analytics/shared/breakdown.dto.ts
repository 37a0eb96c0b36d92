/** A value of a breakdown in an answer. */
export const breakdownValue = {
  oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
  description:
    'One text, or a list for several properties. `""` is a missing value, `Other` all values beyond the limit.',
  example: 'Chrome',
};

export const breakdownLabels = {
  type: 'array' as const,
  items: { type: 'string' as const },
  description: 'Of a breakdown by cohorts: the parts of the value, with names of cohorts in place of their ids.',
  example: ['Frequent customers'],
};
