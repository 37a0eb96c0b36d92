// Lowest first. A folder may import from itself and from those before it.
const layers = ['api', 'address', 'ui', 'charts', 'filters', 'insights', 'pages', 'app'];

module.exports = {
  forbidden: [
    ...layers.slice(0, -1).map((folder, level) => ({
      name: `${folder}-imports-down-only`,
      severity: 'error',
      from: { path: `^console/src/${folder}/` },
      to: { path: `^console/src/(${layers.slice(level + 1).join('|')})/` },
    })),
    {
      name: 'pages-do-not-import-each-other',
      severity: 'error',
      comment: 'what several pages show is in a folder below them',
      from: { path: '^console/src/pages/([^/]+)/' },
      to: { path: '^console/src/pages/', pathNot: '^console/src/pages/$1/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js'],
    },
  },
};
