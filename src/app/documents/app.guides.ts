/** The guides in the order in which they are read: their titles, and the names of their files. */
export const guides = {
  'Sending events': 'sending-events',
  Identity: 'identity',
  Accounts: 'accounts',
  Flags: 'flags',
  Filters: 'filters',
  Cohorts: 'cohorts',
  Webhooks: 'webhooks',
  Destinations: 'destinations',
  Insights: 'insights',
  Alerts: 'alerts',
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
  Upgrading: 'upgrading',
  Clients: 'clients',
  'Query nodes': 'query-nodes',
  Console: 'console',
  Limits: 'limits',
  Glossary: 'glossary',
  Architecture: 'architecture',
  Trust: 'trust',
} as const;

/** The groups of operations in the API document, and the pages of its reference. */
export const tags = [
  { name: 'Capture', description: 'Events in, with the public token of a project. SDKs use these routes.' },
  { name: 'Persons', description: 'Find, read, change, merge, split and delete persons.' },
  { name: 'Groups', description: 'Companies and other groups to which events belong: find, read and change them.' },
  { name: 'Actions', description: 'Names for events that match one of several steps.' },
  {
    name: 'Cohorts',
    description: 'Groups of persons: by a definition that is calculated again and again, or by a list.',
  },
  {
    name: 'Flags',
    description: 'Feature flags: their definitions, and what they are for a person, as SDKs and OpenFeature ask.',
  },
  {
    name: 'Webhooks',
    description: 'Changes of cohorts and rare events, sent to an address; files in a bucket each hour or day.',
  },
  {
    name: 'Insights',
    description: 'Funnels, retention, trends, paths, lifecycle and stickiness, with the persons behind each number.',
  },
  {
    name: 'SQL',
    description:
      'Questions in SQL, of one project only; the guide [SQL](/docs/guides/sql.md) explains tables and dialect.',
  },
  { name: 'Saved', description: 'Saved questions, dashboards that show their answers, alerts on their numbers.' },
  {
    name: 'Catalogue',
    description: 'The names of events and properties: numbers, descriptions, owners, and what uses them.',
  },
  { name: 'Events', description: 'Events and their names, import of events, and warnings about events that arrived.' },
  { name: 'Projects', description: 'Projects, their settings and their activity.' },
  { name: 'Keys', description: 'Personal API keys, their scopes and projects.' },
  { name: 'Users', description: 'Users, their sessions, and how they sign in.' },
  { name: 'Operations', description: 'Health and metrics.' },
];

/** Where all documents are served. */
export const documentsBase = '/docs/';

export const guidePath = (name: string): string => `${documentsBase}guides/${name}.md`;

export const skillPath = `${documentsBase}skill/SKILL.md`;

/** Where the reference of the interface is: the list of all routes, or those of one tag. */
export const referencePath = (tag?: string): string =>
  tag === undefined ? `${documentsBase}reference.md` : `${documentsBase}reference/${tag.toLowerCase()}.md`;
