/** The guides in the order in which they are read: their titles, and the names of their files. */
export const guides = {
  'Sending events': 'sending-events',
  Identity: 'identity',
  Filters: 'filters',
  Cohorts: 'cohorts',
  Webhooks: 'webhooks',
  Insights: 'insights',
  SQL: 'sql',
  Agents: 'agents',
  Operating: 'operating',
  'Operating at scale': 'operate-at-scale',
  'People who sign in': 'sign-in',
  'Moving from PostHog': 'moving-from-posthog',
} as const;

/** Pages to look things up in, rather than to read from the first line to the last. */
export const references = {
  Configuration: 'configuration',
  Commands: 'commands',
  Clients: 'clients',
  Console: 'console',
  Limits: 'limits',
  Glossary: 'glossary',
  Architecture: 'architecture',
  Trust: 'trust',
} as const;

/** Where all documents are served. */
export const documentsBase = '/docs/';

export const guidePath = (name: string): string => `${documentsBase}guides/${name}.md`;
