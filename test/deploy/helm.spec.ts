import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { loadConfig } from '../../src/platform/config/config.js';
import { settings } from '../../src/platform/config/settings.js';
import {
  canRender,
  chartDir,
  defaultValues,
  merged,
  refusals,
  rendered,
  TestCluster,
  type Manifest,
  type Values,
} from './chart.js';

const required: Values = { image: { repository: 'registry.example.test/kohort' }, existingSecret: 'kohort-stores' };
const archive = {
  extraEnv: [{ name: 'EVENT_ARCHIVE', value: '/archive' }],
  extraEnvFrom: [{ configMapRef: { name: 'more' } }],
  extraVolumes: [{ name: 'archive', persistentVolumeClaim: { claimName: 'archive' } }],
  extraVolumeMounts: [{ name: 'archive', mountPath: '/archive' }],
};
const everything = merged(required, {
  image: { digest: `sha256:${'a'.repeat(64)}` },
  imagePullSecrets: [{ name: 'registry' }],
  settings: { TRUST_PROXY: '10.0.0.0/8', DATABASE_POOL_SIZE: '24' },
  ...archive,
  serviceAccount: { annotations: { 'example.test/role': 'kohort' } },
  api: {
    autoscaling: { enabled: true },
    priorityClassName: 'web',
    nodeSelector: { pool: 'web' },
    tolerations: [{ key: 'web', operator: 'Exists' }],
    affinity: { podAntiAffinity: {} },
    podLabels: { 'example.test/cost': 'shop' },
    podAnnotations: { 'example.test/team': 'data' },
  },
  worker: { autoscaling: { enabled: true, maxReplicas: 3, lagSeconds: 60 } },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'kohort.example.test',
    tlsSecret: 'tls',
    annotations: { a: 'b' },
  },
  networkPolicy: {
    clients: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
    scrapers: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
    stores: [{ to: [{ ipBlock: { cidr: '10.0.8.0/24' } }], ports: [{ port: 5432 }, { port: 8443 }] }],
    egress: { api: [{ to: [{ ipBlock: { cidr: '192.0.2.7/32' } }], ports: [{ port: 443 }] }] },
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
  dashboard: { enabled: true },
});

describe('the values of the chart', () => {
  const schema = JSON.parse(readFileSync(`${chartDir}/values.schema.json`, 'utf8')) as {
    properties: { settings: { propertyNames: { enum: string[] } } };
  };
  const validate = new Ajv({ allowUnionTypes: true }).compile(schema);
  const isValid = (changes: Values) => validate(merged(merged(defaultValues(), required), changes));

  it('are checked: those of the chart need an image and a Secret, and a wrong name or type is refused', () => {
    expect(validate(defaultValues())).toBe(false);
    expect([isValid({}), validate.errors]).toEqual([true, null]);
    expect([isValid(everything), validate.errors]).toEqual([true, null]);
    const wrong: Values[] = [
      { replicas: 3 },
      { api: { replica: 3 } },
      { api: { replicas: '3' } },
      // More processes that answer HTTP ship nothing.
      { api: { autoscaling: { lagSeconds: 60 } } },
      { api: { resources: { limit: {} } } },
      { image: { digest: 'latest' } },
      { image: { pullPolicy: 'Sometimes' } },
      // Helm would write the large number as 1e+06.
      { settings: { RATE_LIMIT_PER_MINUTE: 1000000 } },
      { settings: { TRUST_PROXIES: '1' } },
      { settings: { ROLE: 'all' } },
      { settings: { DATABASE_URL: 'postgres://kohort:secret@db/kohort' } },
      { networkPolicy: { ingress: [] } },
      { networkPolicy: { egress: { migrate: [] } } },
      { extraEnv: { EVENT_ARCHIVE: '/archive' } },
    ];
    expect(wrong.filter(isValid)).toEqual([]);
  });

  it('know each variable of the service, but those that the chart sets, of embedded stores, and that are secret', () => {
    const set = ['NODE_ENV', 'PORT', 'HOST', 'METRICS_PORT', 'METRICS_HOST', 'ROLE', 'ALLOW_TEST_CLOCK'];
    const ofEmbedded = ['DATA_DIR', 'WAL_ARCHIVE_DIR', 'WAL_ARCHIVE_DAYS', 'MEMORY_BUDGET_MB'];
    const ofStores = ['DATABASE_URL', 'DATABASE_PASSWORD', 'CLICKHOUSE_URL', 'CLICKHOUSE_PASSWORD'];
    const secret = [
      'KOHORT_KEY',
      'POSTHOG_KEY',
      'OIDC_CLIENT_SECRET',
      'BACKUP_KEY',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_SESSION_TOKEN',
      'SMTP_URL',
    ];
    const others = [...set, ...ofEmbedded, ...ofStores, ...secret];
    expect(schema.properties.settings.propertyNames.enum).toEqual(
      Object.keys(settings).filter((name) => !others.includes(name)),
    );
  });
});

interface Pod {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly serviceAccountName?: string;
    readonly automountServiceAccountToken: boolean;
    readonly volumes: readonly object[];
    readonly containers: readonly {
      readonly image: string;
      readonly env: readonly { readonly name: string; readonly value: string }[];
      readonly envFrom: readonly object[];
      readonly volumeMounts: readonly object[];
      readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
    }[];
  };
}

(canRender ? describe : describe.skip)('the chart', () => {
  let few: readonly Manifest[];
  let all: readonly Manifest[];

  beforeAll(async () => {
    ({ manifests: few } = await rendered(required));
    ({ manifests: all } = await rendered(everything, { release: 'team-a' }));
  });

  const named = (manifests: readonly Manifest[]) => manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const find = (manifests: readonly Manifest[], name: string) =>
    manifests.find(({ kind, metadata }) => `${kind} ${metadata.name}` === name)?.spec as never;
  const pod = (manifests: readonly Manifest[], name: string) => (find(manifests, name) as { template: Pod }).template;
  const envOf = ({ spec }: Pod) =>
    Object.fromEntries(spec.containers[0]?.env.map(({ name, value }) => [name, value]) ?? []);
  const matches = (labels: Readonly<Record<string, string>>, selector: Readonly<Record<string, string>>) =>
    Object.entries(selector).every(([name, value]) => labels[name] === value);

  it('has what its values switch on, and what Kubernetes accepts', () => {
    const account = 'ServiceAccount kohort';
    const usual = ['Deployment kohort-api', 'Deployment kohort-worker', 'Job kohort-migrate', 'Service kohort'];
    const safe = ['NetworkPolicy kohort-api', 'NetworkPolicy kohort-worker', 'Service kohort-metrics', account];
    const budgets = ['PodDisruptionBudget kohort-api', 'PodDisruptionBudget kohort-worker'];
    expect(named(few).sort()).toEqual([...usual, ...safe, ...budgets].sort());
    const scalers = ['HorizontalPodAutoscaler kohort-api', 'HorizontalPodAutoscaler kohort-worker'];
    const monitors = ['ServiceMonitor kohort', 'PrometheusRule kohort', 'ConfigMap kohort-dashboard'];
    expect(named(all).sort()).toEqual(
      [...usual, ...safe, ...budgets, ...scalers, ...monitors, 'Ingress kohort']
        .map((name) => name.replace(' kohort', ' team-a-kohort'))
        .sort(),
    );
    expect(refusals([...few, ...all])).toEqual([]);
  });

  it('is held to the schemas of Kubernetes: a wrong name or type of a field is found', () => {
    const job = few.find(({ kind }) => kind === 'Job') as Manifest & { spec: object };
    expect(refusals([{ ...job, spec: { ...job.spec, backOffLimit: 1 } }])).toEqual([
      expect.stringMatching(/^Job kohort-migrate: .*backOffLimit\W+does not exist in type 'IJobSpec'/),
    ]);
    expect(refusals([{ ...job, spec: { ...job.spec, backoffLimit: '1' } }])).toHaveLength(1);
  });

  it('starts processes whose variables the service takes, with secrets from the Secret only', () => {
    const stores = {
      DATABASE_URL: 'postgres://kohort:vZ8tq2Lw@db/kohort',
      CLICKHOUSE_URL: 'http://kohort:vZ8tq2Lw@clickhouse:8123/kohort',
    };
    for (const role of ['api', 'worker']) {
      const { TMPDIR, ...env } = envOf(pod(all, `Deployment team-a-kohort-${role}`));
      expect(TMPDIR).toBe('/var/lib/kohort');
      expect(Object.keys(env).filter((variable) => !(variable in settings))).toEqual([]);
      const { servesApi, worksInBackground, shutdownDelayMs } = loadConfig({
        ...env,
        ...stores,
        NODE_ENV: 'production',
      });
      expect([servesApi, worksInBackground, shutdownDelayMs]).toEqual([role === 'api', role === 'worker', 15_000]);
    }
    for (const name of ['Deployment kohort-api', 'Deployment kohort-worker', 'Job kohort-migrate'])
      expect(pod(few, name).spec.containers).toEqual([
        expect.objectContaining({
          image: 'registry.example.test/kohort:1.0.0',
          envFrom: [{ secretRef: { name: 'kohort-stores' } }],
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        }),
      ]);
    expect(pod(all, 'Deployment team-a-kohort-api').spec.containers[0]?.image).toBe(
      `registry.example.test/kohort@sha256:${'a'.repeat(64)}`,
    );
  });

  it('selects the pods that it makes, by ports that they have', () => {
    const selects = (selector: Readonly<Record<string, string>>) =>
      ['api', 'worker', 'migrate'].filter((component) => {
        const owner = component === 'migrate' ? 'Job kohort-migrate' : `Deployment kohort-${component}`;
        return matches(pod(few, owner).metadata.labels, selector);
      });
    const podsOf = (name: string) => {
      const spec = find(few, name) as { selector?: unknown; podSelector?: unknown };
      const selector = (spec.podSelector ?? spec.selector) as { matchLabels?: Record<string, string> };
      return selects(selector.matchLabels ?? (selector as Record<string, string>));
    };
    for (const role of ['api', 'worker'])
      for (const kind of ['Deployment', 'PodDisruptionBudget', 'NetworkPolicy'])
        expect([kind, podsOf(`${kind} kohort-${role}`)]).toEqual([kind, [role]]);
    expect(podsOf('Service kohort')).toEqual(['api']);
    for (const role of ['api', 'worker'])
      expect(pod(few, `Deployment kohort-${role}`).spec.containers[0]?.ports).toEqual([
        { name: 'http', containerPort: 3000 },
        { name: 'metrics', containerPort: 9464 },
      ]);
    const monitor = find(all, 'ServiceMonitor team-a-kohort') as { selector: { matchLabels: Record<string, string> } };
    const monitored = all.filter(
      ({ kind, metadata }) => kind === 'Service' && matches(metadata.labels, monitor.selector.matchLabels),
    );
    expect(named(monitored)).toEqual(['Service team-a-kohort-metrics']);
  });

  it('leaves the number of pods to the autoscalers where they are on', () => {
    expect(find(few, 'Deployment kohort-api')).toHaveProperty('replicas', 2);
    expect(find(all, 'Deployment team-a-kohort-api')).not.toHaveProperty('replicas');
    expect(find(all, 'HorizontalPodAutoscaler team-a-kohort-api')).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name: 'team-a-kohort-api' },
      metrics: [{ type: 'Resource' }],
    });
    expect(find(all, 'HorizontalPodAutoscaler team-a-kohort-worker')).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name: 'team-a-kohort-worker' },
      maxReplicas: 3,
      metrics: [
        { type: 'Resource' },
        { external: { metric: { name: 'kohort_projection_lag_seconds' }, target: { type: 'Value', value: '60' } } },
      ],
    });
  });

  it('opens the port of requests of the api only, and lets pods reach only what the values name', () => {
    const open = (name: string) =>
      (find(all, `NetworkPolicy team-a-kohort-${name}`) as { ingress: { ports: { port: string }[] }[] }).ingress.map(
        ({ ports }) => ports[0]?.port,
      );
    expect([open('api'), open('worker')]).toEqual([['http', 'metrics'], ['metrics']]);
    const policy = (manifests: readonly Manifest[], name: string): object => find(manifests, `NetworkPolicy ${name}`);
    const stores = [
      {
        ports: [
          { port: 53, protocol: 'UDP' },
          { port: 53, protocol: 'TCP' },
        ],
      },
      { to: [{ ipBlock: { cidr: '10.0.8.0/24' } }], ports: [{ port: 5432 }, { port: 8443 }] },
    ];
    expect(policy(all, 'team-a-kohort-api')).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      egress: [...stores, { to: [{ ipBlock: { cidr: '192.0.2.7/32' } }], ports: [{ port: 443 }] }],
    });
    const anywhere = (cidr: string, secret: string) => ({
      ipBlock: { cidr, except: expect.arrayContaining([secret]) },
    });
    expect(policy(all, 'team-a-kohort-worker')).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      egress: [...stores, { to: [anywhere('0.0.0.0/0', '10.0.0.0/8'), anywhere('::/0', 'fc00::/7')] }],
    });
    expect(policy(few, 'kohort-worker')).toMatchObject({ policyTypes: ['Ingress'] });
    expect(policy(few, 'kohort-worker')).not.toHaveProperty('egress');
  });

  it('gives pods an account without a token, of their own unless the values name another', async () => {
    const accounts = (manifests: readonly Manifest[], name: string) =>
      [`Deployment ${name}-api`, `Deployment ${name}-worker`, `Job ${name}-migrate`].map((owner) => {
        const { serviceAccountName, automountServiceAccountToken } = pod(manifests, owner).spec;
        expect([owner, automountServiceAccountToken]).toEqual([owner, false]);
        return serviceAccountName;
      });
    // The job runs before there is an account of the release.
    expect(accounts(all, 'team-a-kohort')).toEqual(['team-a-kohort', 'team-a-kohort', undefined]);
    expect(all.find(({ kind }) => kind === 'ServiceAccount')?.metadata).toMatchObject({
      annotations: { 'example.test/role': 'kohort' },
    });
    const theirs = { ...required, serviceAccount: { create: false, name: 'theirs' } };
    const { manifests } = await rendered(theirs);
    expect(accounts(manifests, 'kohort')).toEqual(['theirs', 'theirs', 'theirs']);
    expect(manifests.filter(({ kind }) => kind === 'ServiceAccount')).toEqual([]);
  });

  it('gives each pod the variables and volumes of the values, and those of a role its labels and priority', () => {
    for (const name of [
      'Deployment team-a-kohort-api',
      'Deployment team-a-kohort-worker',
      'Job team-a-kohort-migrate',
    ]) {
      const { containers, volumes } = pod(all, name).spec;
      expect([name, volumes.at(-1)]).toEqual([name, archive.extraVolumes[0]]);
      expect([name, containers[0]?.volumeMounts.at(-1)]).toEqual([name, archive.extraVolumeMounts[0]]);
      expect([name, containers[0]?.env.at(-1)]).toEqual([name, archive.extraEnv[0]]);
      expect([name, containers[0]?.envFrom.at(-1)]).toEqual([name, archive.extraEnvFrom[0]]);
    }
    expect(pod(all, 'Deployment team-a-kohort-api')).toMatchObject({
      metadata: { labels: { 'example.test/cost': 'shop' }, annotations: { 'example.test/team': 'data' } },
      spec: { priorityClassName: 'web' },
    });
    expect(pod(all, 'Deployment team-a-kohort-worker').metadata.labels).not.toHaveProperty(['example.test/cost']);
  });

  it('has the alerts and the dashboard of the guide', () => {
    const guide = (name: string) => readFileSync(`docs/guides/monitoring/${name}`, 'utf8');
    expect(find(all, 'PrometheusRule team-a-kohort')).toEqual(parse(guide('alerts.yml')));
    const dashboard = all.find(({ kind }) => kind === 'ConfigMap') as Manifest & { readonly data: object };
    expect(dashboard.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
    expect(dashboard.data).toEqual({ 'kohort.json': guide('grafana.json') });
  });

  it('starts pods again at an upgrade after the Secret has changed', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'kohort-stores', resourceVersion: '4711' } };
    const cluster = await TestCluster.start(few, secret);
    const { manifests } = await rendered(required, { cluster: cluster.url }).finally(() => cluster.stop());
    const annotations = (of: readonly Manifest[], name: string) => pod(of, name).metadata.annotations;
    for (const name of ['Deployment kohort-api', 'Deployment kohort-worker'])
      expect([name, annotations(manifests, name), annotations(few, name)]).toEqual([
        name,
        { 'kohort/secret-version': '4711' },
        undefined,
      ]);
  });

  it('says what is missing, and how many connections its pods open', async () => {
    await expect(rendered({ image: required.image })).rejects.toThrow("at '/existingSecret'");
    await expect(rendered({ existingSecret: 'a' })).rejects.toThrow("at '/image/repository'");
    expect((await rendered(required)).notes).toContain('4 pods open up to 64 connections');
    expect((await rendered(everything)).notes).toContain('11 pods open up to 264 connections');
  });
});
