/** How each kind of insight is called in the address, in its tab and above it. Apart from the kinds, whose code comes later. */
export const insightHeadings = {
  trends: {
    name: 'trends',
    label: 'Trends',
    description: 'How often events happen, and how many persons do them.',
  },
  funnel: {
    name: 'funnel',
    label: 'Funnel',
    description: 'How many persons take one step after the other, and where they stop.',
  },
  retention: {
    name: 'retention',
    label: 'Retention',
    description: 'How many of the persons who begin in an interval come back in later ones.',
  },
  paths: {
    name: 'paths',
    label: 'Paths',
    description: 'Which ways persons take from one page or event to the next.',
  },
  correlation: {
    name: 'correlation',
    label: 'Correlation',
    description: 'What persons who take all steps of a funnel do more often than the others.',
  },
  lifecycle: {
    name: 'lifecycle',
    label: 'Lifecycle',
    description: 'Which active persons are new, which came back, and which have stopped.',
  },
  stickiness: {
    name: 'stickiness',
    label: 'Stickiness',
    description: 'In how many intervals of the range the same persons are active.',
  },
} as const;
