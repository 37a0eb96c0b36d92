// Prints the shape of src, and fails if an import or a figure breaks the rules of docs/architecture.md:
//   depcruise … --output-type json src | node scripts/shape.mjs
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const most = { entries: 26, floors: 8, arrows: 60, rootFiles: 5 };

const { modules, summary } = JSON.parse(await text(process.stdin));
const files = modules.filter(({ source }) => source.startsWith('src/') && !source.endsWith('.spec.ts'));

const families = { platform: 'platform', kernel: 'kernel', operations: 'operations', app: 'app', 'main.ts': 'app' };
const entryOf = (path) => path.split('/')[1];
const nodeOf = (path) => families[entryOf(path)] ?? entryOf(path);
const isRoom = (node) => !Object.values(families).includes(node);
/** The folder of a file within its room or its part of a family; null for a file in the root of either. */
const folderOf = (path) => {
  const parts = path.split('/').slice(1, -1);
  return parts.length < 2 ? null : parts.slice(0, 2).join('/');
};

const groupBy = (items, keyOf) => {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};

const arrows = new Map();
const draw = (kind, from, to) => {
  if (from === null || to === null || from === to) return;
  arrows.set(`${kind} ${from} ${to}`, { kind, from, to });
};
for (const { source, dependencies } of files) {
  for (const { resolved } of dependencies) {
    if (!resolved.startsWith('src/')) continue;
    const [from, to] = [nodeOf(source), nodeOf(resolved)];
    const family = (node) => (isRoom(node) ? 'rooms' : node);
    draw('families', family(from), family(to));
    if (isRoom(from) && isRoom(to)) draw('rooms', from, to);
    if (from === to) draw('folders', folderOf(source), folderOf(resolved));
  }
}
const arrowsOf = (...kinds) => [...arrows.values()].filter(({ kind }) => kinds.includes(kind));

/** How many floors the targets of arrows need when each is below what imports it, or the circle that forbids it. */
const floorsOf = (edges) => {
  const below = groupBy(edges, ({ from }) => from);
  const floors = new Map();
  const circles = [];
  const floorOf = (node, path) => {
    if (path.includes(node)) {
      circles.push([...path.slice(path.indexOf(node)), node].join(' → '));
      return 0;
    }
    if (!floors.has(node)) {
      const targets = (below.get(node) ?? []).map(({ to }) => floorOf(to, [...path, node]) + 1);
      floors.set(node, Math.max(0, ...targets));
    }
    return floors.get(node);
  };
  for (const node of below.keys()) floorOf(node, []);
  return { count: Math.max(0, ...floors.values()) + 1, circles };
};

const rooms = floorsOf(arrowsOf('rooms'));
// The families are four floors and that of the rooms, which has floors of its own.
const floors = floorsOf(arrowsOf('families')).count - 1 + rooms.count;
const rootFiles = groupBy(
  files.filter(({ source }) => isRoom(nodeOf(source)) && source.split('/').length === 3),
  ({ source }) => entryOf(source),
);
const further = [...rootFiles].map(([room, all]) => [
  room,
  all.filter(({ source }) => !/\.(module|controller)\.ts$/.test(source)).length,
]);

const lines = files.reduce((sum, { source }) => sum + readFileSync(source, 'utf8').split('\n').length - 1, 0);
const figures = {
  entries: new Set(files.map(({ source }) => entryOf(source))).size,
  floors,
  arrows: arrowsOf('families', 'rooms').length,
  rootFiles: Math.max(...further.map(([, count]) => count)),
};

const faults = [
  ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
  ...[...rooms.circles, ...floorsOf(arrowsOf('folders')).circles].map((circle) => `a circle: ${circle}`),
  ...Object.entries(figures).flatMap(([name, count]) =>
    count > most[name] ? [`${name}: ${count}, at most ${most[name]}`] : [],
  ),
  ...further
    .filter(([, count]) => count > most.rootFiles)
    .map(([room, count]) => `src/${room} has ${count} further files`),
];

console.log(
  `src: ${files.length} files, ${lines} lines, ${figures.entries} entries, ${figures.floors} floors, ` +
    `${figures.arrows} arrows between families and rooms`,
);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
