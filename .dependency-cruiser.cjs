// The families of docs/architecture.md, lowest first. A file imports from its own family and from lower ones.
const families = ['platform', 'kernel', 'rooms', 'operations', 'app'];

// The rooms, lowest first: a room imports from those before it.
const rooms = [
  'activity',
  'filters',
  'sql',
  'audit',
  'auth',
  'persons',
  'groups',
  'events',
  'flags',
  'cohorts',
  'actions',
  'analytics',
  'deletions',
  'projects',
  'exports',
  'webhooks',
  'nodes',
  'saved',
  'catalogue',
  'mcp',
];

const anyRoom = `src/(${rooms.join('|')})/`;
const filesOf = { rooms: anyRoom, app: 'src/(app/|main\\.ts$)' };
const pathOf = (family) => `^${filesOf[family] ?? `src/${family}/`}`;

const familiesDown = families.slice(0, -1).map((family, level) => ({
  name: `${family}-imports-down-only`,
  severity: 'error',
  comment: `${family} may import only what is below it`,
  from: { path: pathOf(family) },
  to: { path: families.slice(level + 1).map(pathOf) },
}));

const roomsDown = rooms.slice(0, -1).map((room, level) => ({
  name: `${room}-imports-down-only`,
  severity: 'error',
  comment: `src/${room} may import only the rooms before it`,
  from: { path: `^src/${room}/` },
  to: { path: `^src/(${rooms.slice(level + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...familiesDown,
    ...roomsDown,
    {
      name: 'every-folder-has-a-family',
      severity: 'error',
      from: { path: '^src/', pathNot: families.map(pathOf) },
      to: {},
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-tests-in-src',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'dev-dependencies-stay-out',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'sql-builders-are-pure',
      severity: 'error',
      comment: '*.sql.ts builds statements from values; a service runs them',
      from: { path: '^src/.*\\.sql\\.ts$' },
      to: {
        path: '^src/platform/config/|^src/platform/clickhouse/(client|engine|embedded|remote)|^src/platform/postgres/(postgres|pool|transaction)|^src/kernel/stores/|^@nestjs/|^(fs|net|http|child_process|timers)(/|$)',
      },
    },
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
