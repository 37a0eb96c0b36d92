import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';

export const chartDir = 'deploy/helm';

/** Debian's packages of Go, of Sprig and of the YAML that Helm uses. */
const gopath = '/usr/share/gocode';
const go = ['/usr/bin/go', '/usr/local/go/bin/go'].find((path) => existsSync(path));
export const canRender = go !== undefined && existsSync(join(gopath, 'src/github.com/Masterminds/sprig'));

export type Values = Readonly<Record<string, unknown>>;

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: unknown;
}

export const defaultValues = (): Values => parse(readFileSync(join(chartDir, 'values.yaml'), 'utf8')) as Values;

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

/** As Helm combines the values of the chart and of its user. */
export const merged = (values: Values, changes: Values): Values => ({
  ...values,
  ...Object.fromEntries(
    Object.entries(changes).map(([key, change]) => {
      const value = values[key];
      return [key, isMap(value) && isMap(change) ? merged(value, change) : change];
    }),
  ),
});

/** Renders the chart by a program that is compiled once. */
export class ChartRenderer {
  private readonly dir = mkdtempSync(join(tmpdir(), 'kohort-chart-'));
  private readonly program = join(this.dir, 'render');

  constructor() {
    const env = { PATH: process.env.PATH, HOME: this.dir, GO111MODULE: 'off', GOPATH: gopath };
    const built = spawnSync(go ?? '', ['build', '-o', this.program, 'test/deploy/render.go'], {
      env,
      encoding: 'utf8',
    });
    if (built.status !== 0) throw new Error(`render.go does not compile: ${built.stderr}`);
  }

  /** The text that each template renders. */
  texts(values: Values, release = 'kohort'): Readonly<Record<string, string>> {
    const { name, version, appVersion } = parse(readFileSync(join(chartDir, 'Chart.yaml'), 'utf8')) as Values;
    const { status, stdout, stderr } = spawnSync(this.program, [chartDir], {
      encoding: 'utf8',
      input: JSON.stringify({
        values,
        release: { Name: release, Namespace: 'analytics', Service: 'Helm' },
        chart: { Name: name, Version: version, AppVersion: appVersion },
      }),
    });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Record<string, string>;
  }

  manifests(values: Values, release?: string): Manifest[] {
    return Object.entries(this.texts(values, release))
      .filter(([template]) => template.endsWith('.yaml'))
      .flatMap(([template, text]) =>
        parseAllDocuments(text).flatMap((document) => {
          if (document.errors.length > 0) throw new Error(`${template}: ${document.errors.join('; ')}\n${text}`);
          return document.contents === null ? [] : [document.toJS() as Manifest];
        }),
      );
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

const moduleOf = ({ apiVersion, kind }: Manifest): string =>
  apiVersion.startsWith('monitoring.coreos.com/')
    ? `@kubernetes-models/prometheus-operator/${apiVersion}/${kind}`
    : `kubernetes-models/${apiVersion}/${kind}`;

/**
 * What the schemas of Kubernetes refuse. The schemas are types of TypeScript here, which also refuse unknown fields.
 */
export const refusals = (manifests: readonly Manifest[]): string[] => {
  const name = join(process.cwd(), 'test/deploy/manifests.ts');
  const text = manifests
    .map(
      (manifest, index) => `import type { I${manifest.kind} as Manifest${index} } from '${moduleOf(manifest)}';
export const manifest${index}: Manifest${index} = ${JSON.stringify(manifest, null, 2)};`,
    )
    .join('\n');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const files = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...files,
    fileExists: (path) => path === name || files.fileExists(path),
    readFile: (path) => (path === name ? text : files.readFile(path)),
    getSourceFile: (path, version, ...rest) =>
      path === name ? ts.createSourceFile(path, text, version, true) : files.getSourceFile(path, version, ...rest),
  };
  const program = ts.createProgram([name], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start = 0 }) => {
    const before = text.slice(0, start);
    const manifest = manifests[before.split('export const manifest').length - 2];
    return `${manifest?.kind} ${manifest?.metadata.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
};
