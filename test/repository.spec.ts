import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, sep } from 'node:path';
import { parse } from 'yaml';

/** The package has no types of its own. */
const { satisfies } = createRequire(import.meta.url)('semver') as {
  readonly satisfies: (version: string, range: string) => boolean;
};

interface LockFile {
  readonly packages: Record<
    string,
    {
      readonly version: string;
      readonly optionalDependencies?: Record<string, string>;
      readonly engines?: { readonly node?: string };
    }
  >;
}

const lockFile = () => JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;

describe('package-lock.json', () => {
  it('knows the binaries of every platform: npm drops those of other platforms, and npm ci then fails there', () => {
    const { packages } = lockFile();
    for (const owner of ['node_modules/chdb', 'node_modules/typescript-native', '']) {
      const expected = Object.keys(packages[owner]?.optionalDependencies ?? {});
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.filter((name) => !(`node_modules/${name}` in packages))).toEqual([]);
    }
  });

  it('has no package that warns under a release of Node that we support', () => {
    const { packages } = lockFile();
    const needed = Object.entries(packages).flatMap(([name, { engines }]) =>
      engines?.node ? [[name, engines.node]] : [],
    );
    expect(needed.length).toBeGreaterThan(100);
    for (const version of ['20.20.0', '22.23.3', '24.21.0'])
      expect([version, needed.filter(([, range = '*']) => !satisfies(version, range))]).toEqual([version, []]);
  });
});

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
  .map((name) => join('src', name));

describe('the names of src', () => {
  it('mean one thing: no two files export the same one', () => {
    const exported = /^export (?:abstract |async )?(?:const|function\*?|class|interface|type|enum) (\w+)/gm;
    const homes = new Map<string, string[]>();
    for (const file of sources)
      for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(exported))
        homes.set(name, [...(homes.get(name) ?? []), file]);
    expect(homes.size).toBeGreaterThan(500);
    expect([...homes].filter(([, files]) => files.length > 1)).toEqual([]);
  });

  it('and its comments do without the words that docs/glossary.md replaces', () => {
    const replaced = /\b(?:nobody|whoever|somebody|owes?|owed|sights?|asked|wanted|told|said)\b/i;
    // `nobody` is an account of the operating system in one file; released migrations are not edited.
    const isExcepted = (file: string) => file.endsWith(join('embedded', 'account.ts')) || file.includes('migrations');
    const others = sources.filter((file) => !isExcepted(file));
    const found = others.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, at) => (replaced.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });

  it('and its comments do without the words that have a name of their own now, and open with who does what', () => {
    const comment = /\/\*\*?[^]*?\*\/|^ *\/\/.*$/gm;
    const replaced = /\b(?:begun|settle[sd]?|personless|(?:un)?sealed|seals|lies|take turns)\b/i;
    const opening = /^(?:\/\*\*\s*(?:\* )?|\/\/ )(?:Whether|What|Those|Who|Which)\b/;
    const comments = sources
      .filter((file) => !file.includes('migrations'))
      .flatMap((file) => (readFileSync(file, 'utf8').match(comment) ?? []).map((text) => `${file}: ${text.trim()}`));
    expect(comments.length).toBeGreaterThan(3000);
    const textOf = (found: string) => found.slice(found.indexOf(': ') + 2);
    expect(comments.filter((found) => replaced.test(textOf(found)) || opening.test(textOf(found)))).toEqual([]);
  });

  it('name no order by behind, and nothing by what was sealed or personless', () => {
    const replaced = /\b(?:[a-z]\w*Behind\w*|behind[A-Z]\w*|\w*[pP]ersonless\w*|(?:un)?[sS]eal(?:ed|ing)[A-Z]\w*)\b/g;
    const found = sources
      .filter((file) => !file.includes('migrations'))
      .flatMap((file) => (readFileSync(file, 'utf8').match(replaced) ?? []).map((name) => `${file}: ${name}`));
    expect(found).toEqual([]);
  });
});

describe('a file of src', () => {
  const classes = sources.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const decorated = /((?:^@.*\n)*)^export (?:abstract )?class (\w+)/gm;
    return [...text.matchAll(decorated)].map(([, decorators = '', name = '']) => ({ file, decorators, name }));
  });
  const suffixOf = (file: string) => /\.(\w+)\.ts$/.exec(file)?.[1];
  const misplaced = (isOf: RegExp, suffixes: readonly string[], has: (one: (typeof classes)[number]) => string) =>
    classes.filter((one) => isOf.test(has(one)) && !suffixes.includes(suffixOf(one.file) ?? ''));

  it('has the suffix of what it exports', () => {
    expect(classes.length).toBeGreaterThan(250);
    const decorators = ({ decorators }: { decorators: string }) => decorators;
    const name = ({ name }: { name: string }) => name;
    const found = [
      ...misplaced(/^@Controller\(/m, ['controller'], decorators),
      ...misplaced(/^@Module\(/m, ['module'], decorators),
      ...misplaced(/^@Entity\(/m, ['entity'], decorators),
      ...misplaced(/^@Catch\(/m, ['filter'], decorators),
      ...['Service', 'Guard', 'Interceptor', 'Middleware'].flatMap((word) =>
        misplaced(new RegExp(`${word}$`), [word.toLowerCase()], name),
      ),
      ...misplaced(/(Dto|Body)$/, ['dto'], name),
      ...misplaced(/Query$/, ['dto', 'query'], name),
    ];
    expect(found).toEqual([]);
    const shapes = classes.filter(({ file }) => suffixOf(file) === 'dto');
    expect(shapes.filter(({ name }) => !/(Dto|Body|Query)$/.test(name))).toEqual([]);
  });

  it('with something that Nest injects has its name', () => {
    const named = (file: string) =>
      basename(file, '.ts')
        .split(/[-.]/)
        .map((word) => word[0]?.toUpperCase() + word.slice(1))
        .join('');
    const injected = classes.filter(({ decorators }) => decorators.includes('@Injectable('));
    expect(injected.length).toBeGreaterThan(80);
    expect(injected.filter(({ file, name }) => name !== named(file))).toEqual([]);
  });
});

describe('the folders of src', () => {
  /** Two files' folders as siblings: a/b/c.ts and a/d/e/f.ts give a/b and a/d. Null when one folder contains the other. */
  const siblings = (from: string, to: string): readonly [string, string] | null => {
    const [left, right] = [dirname(from).split(sep), dirname(to).split(sep)];
    const at = left.findIndex((folder, depth) => folder !== right[depth]);
    const lies = (folders: readonly string[]) => at >= 0 && at < folders.length;
    return lies(left) && lies(right) ? [left.slice(0, at + 1).join(sep), right.slice(0, at + 1).join(sep)] : null;
  };

  it('lie above or below each other: no two siblings import each other', () => {
    const arrows = new Map<string, string>();
    for (const file of sources)
      for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)'/g)) {
        const pair = siblings(file, join(dirname(file), path));
        if (pair) arrows.set(pair.join(' → '), file);
      }
    expect(arrows.size).toBeGreaterThan(100);
    const mutual = [...arrows].filter(([arrow]) => arrows.has(arrow.split(' → ').reverse().join(' → ')));
    expect(mutual).toEqual([]);
  });
});

describe('a release', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };

  it('has one version: in the package, its lock file, the chart and the changelog', () => {
    const { packages, ...lock } = lockFile() as LockFile & { readonly version: string };
    const chart = parse(readFileSync('deploy/helm/Chart.yaml', 'utf8')) as Record<string, unknown>;
    const [, newest] =
      /^## \[(.+?)\] - (?:Unreleased|\d{4}-\d\d-\d\d)$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
    expect([lock.version, packages['']?.version, chart.version, chart.appVersion, newest]).toEqual(
      Array(5).fill(version),
    );
  });

  it('leaves a folder in test/upgrade, of at most 200 kB', () => {
    for (const name of readdirSync('test/upgrade')) {
      const files = readdirSync(join('test/upgrade', name)).sort();
      expect(files).toEqual(['backup.tar.gz', 'openapi.json.gz', 'released.json', 'schema.txt']);
      const size = files.reduce((sum, file) => sum + statSync(join('test/upgrade', name, file)).size, 0);
      expect([name, size < 200_000]).toEqual([name, true]);
    }
    expect(readdirSync('test/upgrade')).toContain(version);
  });
});

describe('what the site of the repository reads', () => {
  interface Workflow {
    readonly permissions: object;
    readonly jobs: Record<string, { readonly steps: readonly { readonly uses?: string; readonly run?: string }[] }>;
  }
  const workflow = (name: string) => parse(readFileSync(`.github/workflows/${name}.yml`, 'utf8')) as Workflow;
  const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);

  it('runs what .ci/run runs, with no right to write', () => {
    const ci = workflow('ci');
    expect(ci.permissions).toEqual({ contents: 'read' });
    expect(stepsOf(ci).flatMap(({ run = '' }) => run.match(/\.ci\/\w+/) ?? [])).toEqual(['.ci/run']);
    expect(existsSync('.ci/run')).toBe(true);
  });

  it('builds images with the arguments that the Dockerfile has', () => {
    const image = readFileSync('Dockerfile', 'utf8');
    const text = readFileSync('.github/workflows/release.yml', 'utf8');
    const names = [...text.matchAll(/^ {12}([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(names).toEqual(['REVISION', 'WITH_EMBEDDED_STORES']);
    expect(names.filter((name) => !image.includes(`ARG ${name}=`))).toEqual([]);
    expect(text).toContain('platforms: linux/amd64,linux/arm64');
  });

  it('has forms whose fields have an id and a label', () => {
    for (const form of ['fault', 'request']) {
      const { body } = parse(readFileSync(`.github/ISSUE_TEMPLATE/${form}.yml`, 'utf8')) as {
        readonly body: readonly {
          readonly type: string;
          readonly id?: string;
          readonly attributes: { label?: string };
        }[];
      };
      const fields = body.filter(({ type }) => type !== 'markdown');
      expect(fields.map(({ id, attributes }) => Boolean(id && attributes.label))).toEqual(fields.map(() => true));
      expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
    }
  });
});

describe('the process of the service', () => {
  it('starts in the image as it does with npm start, and in tests: some settings are read before any code runs', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly scripts: Record<string, string>;
    };
    const image = readFileSync('Dockerfile', 'utf8');
    expect([scripts.start, scripts.demo]).toEqual(Array(2).fill(expect.stringContaining('MALLOC_ARENA_MAX=2 ')));
    expect(image).toMatch(/^ {4}MALLOC_ARENA_MAX=2\b/m);
    const flag = '--max-semi-space-size=8';
    expect([scripts.start, scripts.demo]).toEqual(
      Array(2).fill(expect.stringContaining(`exec node ${flag} bin/kohort.mjs`)),
    );
    expect(image).toContain(`CMD ["node", "${flag}", "bin/kohort.mjs"]`);
    expect(readFileSync('test/support/process.ts', 'utf8')).toContain(`'${flag}', 'bin/kohort.mjs'`);
  });
});

describe('the documents', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'AGENTS.md', 'CODE_OF_CONDUCT.md']
    .concat(readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)))
    .filter((name) => name.endsWith('.md'));
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly scripts: Record<string, string>;
  };
  const benches = readdirSync('bench').map((name) => basename(name, '.ts'));
  const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
  const specs = ['src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `/${folder}/${name.replaceAll(sep, '/')}`),
  );
  const rowsIn = (text: string): string[][] =>
    matches(text, /^\| (.*) \|$/gm).map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()));

  it.each(pages)('name specs, scripts and benches that exist: %s', (page) => {
    const text = readFileSync(page, 'utf8');
    const named = matches(text, /(?<![*\w./-])([\w./-]+\.spec\.ts)/g);
    expect(named.filter((name) => !specs.some((spec) => spec.endsWith(`/${name}`)))).toEqual([]);
    expect(matches(text, /\bnpm run (?:-s |--silent )?([\w:-]+)/g).filter((name) => !(name in scripts))).toEqual([]);
    expect(matches(text, /npm run bench -- ([a-z-]+)/g).filter((name) => !benches.includes(name))).toEqual([]);
  });

  it.each(pages)('have tables to be read: no cell of more than 150 characters in %s', (page) => {
    const cells = rowsIn(readFileSync(page, 'utf8')).flat();
    expect(cells.filter((cell) => cell.length > 150 && !/^-+$/.test(cell))).toEqual([]);
  });

  it.each(pages)('link to files and headings that exist: %s', (page) => {
    const anchors = (path: string) =>
      matches(readFileSync(path, 'utf8'), /^#+ (.+)$/gm).map((heading) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      );
    const links = matches(readFileSync(page, 'utf8').replace(/^```[^]*?^```$/gm, ''), /\]\((?!https?:)([^)]+)\)/g);
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      // The service makes the reference; `texts-for-programs.spec.ts` follows its links.
      if (target === join('docs', 'reference.md')) return false;
      return !existsSync(target) || (anchor !== undefined && !anchors(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it.each([
    ['AGENTS.md', 3_000],
    ['docs/skill/SKILL.md', 5_000],
    ['docs/upgrading.md', 5_000],
    ['CODE_OF_CONDUCT.md', 2_000],
  ])('are short: %s has at most %i bytes', (page, most) => {
    expect(statSync(page).size).toBeLessThanOrEqual(most);
  });

  it('have no marks of a merge that was not finished', () => {
    for (const page of pages)
      expect([page, readFileSync(page, 'utf8')]).toEqual([
        page,
        expect.not.stringMatching(/^[\s>]*(<{7}|>{7}|(> ){6}>)/m),
      ]);
  });

  it('have pictures of at most 300 kB together, each of which the README shows', () => {
    const readme = readFileSync('README.md', 'utf8');
    const pictures = readdirSync('docs/pictures').map((name) => `docs/pictures/${name}`);
    expect(pictures.filter((picture) => !readme.includes(`](${picture})`))).toEqual([]);
    expect(pictures.reduce((sum, picture) => sum + statSync(picture).size, 0)).toBeLessThan(300_000);
  });

  it('of trust show each promise by a test or a command, with a dated figure', () => {
    const tables = readFileSync('docs/trust.md', 'utf8').split(/^##+ /m);
    const promises = tables.filter((table) => table.includes('| Promise ')).flatMap((table) => rowsIn(table).slice(2));
    expect(promises.length).toBeGreaterThan(60);
    const isShown = ([, by = '', figure = '', date = '']: string[]) =>
      /\.spec\.ts|npm run/.test(by) && figure !== '' && /^\d{4}-\d\d-\d\d$/.test(date);
    expect(promises.filter((row) => !isShown(row))).toEqual([]);
  });
});
