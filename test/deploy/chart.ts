import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';

export const chartDir = 'deploy/helm';

export const canRender = spawnSync('helm', ['version']).status === 0;

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

export interface Rendered {
  readonly manifests: readonly Manifest[];
  readonly notes: string;
}

/** What Helm would install. */
export const rendered = async (changes: Values, release = 'kohort'): Promise<Rendered> => {
  const helm = spawn('helm', [
    'install',
    release,
    chartDir,
    '--dry-run=client',
    '--namespace=analytics',
    '--values=-',
    '--output=json',
  ]);
  helm.stdin.end(JSON.stringify(changes));
  const [answer, faults] = await Promise.all([readText(helm.stdout), readText(helm.stderr)]);
  if (answer === '') throw new Error(faults);
  const { manifest, hooks, info } = JSON.parse(answer) as {
    readonly manifest: string;
    readonly hooks: readonly { readonly manifest: string }[];
    readonly info: { readonly notes: string };
  };
  const documents = [manifest, ...hooks.map((hook) => hook.manifest)].flatMap((each) => parseAllDocuments(each));
  return {
    notes: info.notes,
    manifests: documents.map((document) => {
      if (document.errors.length > 0) throw new Error(document.errors.join('; '));
      return document.toJS() as Manifest;
    }),
  };
};

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
