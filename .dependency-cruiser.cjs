// Layers of docs/architecture.md, lowest first. A module may import from its own folder and from lower layers only.
const layers = [
  ['config'],
  ['common'],
  ['stores'],
  ['idempotency'],
  ['activity'],
  // Below all whose answers it records; it lists entries as the activity log does.
  ['audit'],
  ['projects'],
  ['auth'],
  ['filters', 'projection'],
  ['actions'],
  ['persons'],
  ['events', 'cohorts'],
  // Above events, whose log they read and take events from, and above cohorts, whose changes webhooks send and whose members
  // are compared.
  ['backup', 'deletions', 'exports', 'quotas', 'webhooks'],
  ['analytics'],
  ['query'],
  ['saved'],
  ['catalogue'],
  ['health', 'cli'],
];

const upward = layers.flatMap((folders, level) =>
  folders.map((folder) => {
    // Files directly in src and the demo put the application together; only the command line may look at them.
    const root = folder === 'cli' ? [] : ['[^/]+\\.ts$', 'demo'];
    const forbidden = [...layers.slice(level + 1).flat(), ...folders.filter((other) => other !== folder), ...root];
    return {
      name: `${folder}-imports-down-only`,
      severity: 'error',
      comment: `src/${folder} may import only what lies below it`,
      from: { path: `^src/${folder}/` },
      to: { path: `^src/(${forbidden.map((name) => (name.includes('.') ? name : `${name}/`)).join('|')})` },
    };
  }),
);

module.exports = {
  forbidden: [
    ...upward.filter((rule) => rule.to.path !== '^src/()'),
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
        path: '^src/config/|^src/stores/clickhouse/(client|engine|embedded|remote)|^src/stores/postgres/(postgres|pool|data-source|transaction)|^@nestjs/|^(fs|net|http|child_process|timers)(/|$)',
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
