import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
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

/** The manifests that Helm would install. It asks the cluster at `cluster` for what templates look up. */
export const rendered = async (changes: Values, { release = 'kohort', cluster = '' } = {}): Promise<Rendered> => {
  const asks = cluster
    ? ['--dry-run=server', '--disable-openapi-validation', `--kube-apiserver=${cluster}`]
    : ['--dry-run=client'];
  const helm = spawn('helm', [
    'install',
    release,
    chartDir,
    '--namespace=analytics',
    '--values=-',
    '--output=json',
    ...asks,
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

type Kind = Pick<Manifest, 'apiVersion' | 'kind'>;

/** What Helm asks of a cluster before it installs: which kinds there are, and one object that a template looks up. */
export class TestCluster {
  private constructor(private readonly server: Server) {}

  static async start(kinds: readonly Kind[], object: Kind & { readonly metadata: object }): Promise<TestCluster> {
    const all = [...kinds, object];
    const versions = [...new Set(all.map(({ apiVersion }) => apiVersion))];
    const lists = versions.map((groupVersion) => {
      const named = all.filter(({ apiVersion }) => apiVersion === groupVersion).map(({ kind }) => kind);
      const resources = [...new Set(named)].map((kind) => ({ name: kind.toLowerCase(), kind, namespaced: true }));
      return [pathOf(groupVersion), { kind: 'APIResourceList', groupVersion, resources }] as const;
    });
    const groups = versions
      .filter((groupVersion) => groupVersion.includes('/'))
      .map((groupVersion) => {
        const [name, version] = groupVersion.split('/');
        return { name, versions: [{ groupVersion, version }] };
      });
    const answers = new Map<string, object>([
      ['/version', { major: '1', minor: '34', gitVersion: 'v1.34.0' }],
      ['/api', { kind: 'APIVersions', versions: ['v1'] }],
      ['/apis', { kind: 'APIGroupList', groups }],
      ...lists,
    ]);
    const server = createServer(({ url = '' }, response) => {
      const [path = ''] = url.split('?');
      const answer = answers.get(path) ?? (path.includes(`/${object.kind.toLowerCase()}/`) ? object : undefined);
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { kind: 'Status', apiVersion: 'v1', code: 404, reason: 'NotFound' }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TestCluster(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

const pathOf = (groupVersion: string): string => `/${groupVersion.includes('/') ? 'apis' : 'api'}/${groupVersion}`;

const moduleOf = ({ apiVersion, kind }: Manifest): string =>
  apiVersion.startsWith('monitoring.coreos.com/')
    ? `@kubernetes-models/prometheus-operator/${apiVersion}/${kind}`
    : `kubernetes-models/${apiVersion}/${kind}`;

/** The refusals by the schemas of Kubernetes. The schemas are types of TypeScript here, which also refuse unknown fields. */
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
