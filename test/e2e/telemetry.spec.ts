import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { freePort } from '../support/process.js';
import { startTestService, type TestService } from '../support/service.js';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, string | number>>;
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
}

interface Point {
  readonly attributes: readonly Attribute[];
  readonly asDouble?: number;
  readonly count?: number;
  readonly bucketCounts?: readonly (number | string)[];
}

interface Metric {
  readonly name: string;
  readonly sum?: { readonly dataPoints: readonly Point[]; readonly isMonotonic: boolean };
  readonly histogram?: { readonly dataPoints: readonly Point[] };
}

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A collector that keeps what it is sent. */
class Collector {
  readonly received: Received[] = [];
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
      this.received.push({ path: request.url ?? '', headers: request.headers, text });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });

  async open(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  get spans(): Span[] {
    return this.bodies('/otlp/v1/traces').flatMap((body) =>
      (body as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) => spans),
      ),
    );
  }

  /** The metrics of the last sending. */
  get metrics(): Metric[] {
    const last = this.bodies('/otlp/v1/metrics').at(-1) as {
      resourceMetrics: { scopeMetrics: { metrics: Metric[] }[] }[];
    };
    return last.resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
  }

  bodies(path: string): object[] {
    return this.received.filter((each) => each.path === path).map(({ text }) => JSON.parse(text) as object);
  }
}

const traceId = () => randomBytes(16).toString('hex');
const parentId = 'b7ad6b7169203331';
const marker = `secret${randomBytes(8).toString('hex')}`;
const attribute = (span: Pick<Span, 'attributes'>, key: string): string | number | undefined =>
  Object.values(span.attributes.find((each) => each.key === key)?.value ?? {})[0];

let collector: Collector;
let service: TestService;
const traces = { question: traceId(), capture: traceId(), unsampled: traceId(), health: traceId(), missing: traceId() };

const header = (id: string, flags = '01') => ({ traceparent: `00-${id}-${parentId}-${flags}` });
const spansOf = (id: string) => collector.spans.filter((span) => span.traceId === id);
const serverSpan = (id: string) => {
  const [span, ...others] = spansOf(id).filter(({ kind }) => kind === 2);
  expect(others).toEqual([]);
  return span as Span;
};
/** The names of the spans above a span, up to the span of the request. */
const above = (span: Span): string[] => {
  const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent ? [parent.name, ...above(parent)] : [];
};

beforeAll(async () => {
  collector = new Collector();
  const url = await collector.open();
  service = await startTestService({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/otlp/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_METRIC_EXPORT_INTERVAL: '100',
  });
  const { id, api_token } = service.project;
  await service.call('POST', '/batch', {
    key: null,
    headers: header(traces.capture),
    body: { api_key: api_token, batch: [{ event: 'bought', distinct_id: marker, properties: { plan: marker } }] },
  });
  const filters = JSON.stringify([{ type: 'person', key: 'email', value: marker }]);
  await service.call('GET', `/api/projects/${id}/persons/trends`, {
    headers: header(traces.question),
    query: { events: JSON.stringify([{ id: 'bought' }]), properties: filters },
  });
  await service.call('GET', `/api/projects/${id}/persons/9999`, { headers: header(traces.missing) });
  await service.call('GET', `/api/projects/${id}/persons`, { headers: header(traces.unsampled, '00') });
  await service.call('GET', '/_readyz', { headers: header(traces.health) });
  const seen = collector.bodies('/otlp/v1/metrics').length;
  for (let tries = 0; tries < 100 && collector.bodies('/otlp/v1/metrics').length < seen + 3; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  // The rest is sent when the service stops.
  await service.stop();
});
afterAll(() => collector.close());

describe('traces', () => {
  it('of a question begin below the span of the client, and reach PostgreSQL and ClickHouse', () => {
    const server = serverSpan(traces.question);
    expect(server.name).toBe('GET /api/projects/:project_id/persons/trends');
    expect([
      server.parentSpanId,
      attribute(server, 'http.response.status_code'),
      attribute(server, 'kohort.project_id'),
    ]).toEqual([parentId, 200, service.project.id]);
    for (const system of ['postgresql', 'clickhouse']) {
      const statements = spansOf(traces.question).filter((span) => attribute(span, 'db.system.name') === system);
      expect(statements.length).toBeGreaterThan(0);
      for (const statement of statements) expect(above(statement).at(-1)).toBe(server.name);
    }
  });

  it('of captured events have the transaction that they share with other requests', () => {
    const insert = spansOf(traces.capture).find(({ name }) => /^events-insert(?:-at-node)?$/.test(name)) as Span;
    expect(above(insert)).toEqual(['group commit', 'POST /batch']);
    expect(spansOf(traces.capture).map(({ name }) => name)).toContain('COMMIT');
  });

  it('contain statements, and no values', () => {
    const texts = collector.spans.map((span) => attribute(span, 'db.query.text')).filter((text) => text !== undefined);
    expect(texts.some((text) => String(text).includes('INSERT INTO events'))).toBe(true);
    expect(texts.some((text) => String(text).includes('FROM events'))).toBe(true);
    for (const { text } of collector.received) expect(text).not.toContain(marker);
  });

  it('know a refused request from a fault, and leave out health checks and what the client does not sample', () => {
    const missing = serverSpan(traces.missing);
    expect([attribute(missing, 'http.response.status_code'), missing.status.code ?? 0]).toEqual([404, 0]);
    expect([...spansOf(traces.unsampled), ...spansOf(traces.health)]).toEqual([]);
  });
});

describe('metrics', () => {
  it('are those of /metrics', () => {
    const named = (name: string) => collector.metrics.find((metric) => metric.name === name);
    const captured = named('kohort_captured_events_total')?.sum;
    expect(captured?.isMonotonic).toBe(true);
    expect(captured?.dataPoints).toEqual([
      expect.objectContaining({
        asDouble: 1,
        attributes: expect.arrayContaining([{ key: 'outcome', value: { stringValue: 'accepted' } }]),
      }),
    ]);
    const trends = named('kohort_http_request_duration_seconds')?.histogram?.dataPoints.find(
      (point) => attribute(point, 'route') === '/api/projects/:project_id/persons/trends',
    );
    expect(Number(trends?.count)).toBe(1);
    expect(trends?.bucketCounts?.reduce<number>((sum, each) => sum + Number(each), 0)).toBe(1);
  });

  it('and traces have the headers and attributes that the variables say', () => {
    expect(new Set(collector.received.map(({ path }) => path))).toEqual(
      new Set(['/otlp/v1/traces', '/otlp/v1/metrics']),
    );
    for (const { headers, text } of collector.received) {
      expect([headers['x-team'], headers['content-type']]).toEqual(['a b', 'application/json']);
      expect(text).toContain('{"key":"deployment.environment.name","value":{"stringValue":"test"}}');
      expect(text).toContain('{"key":"service.name","value":{"stringValue":"kohort"}}');
    }
  });
});

describe('a collector that is down', () => {
  it('neither fails requests nor holds up the stop', async () => {
    const lonely = await startTestService({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      OTEL_METRIC_EXPORT_INTERVAL: '100',
    });
    const { status } = await lonely.call('GET', `/api/projects/${lonely.project.id}/persons`);
    const started = Date.now();
    await lonely.stop();
    expect([status, Date.now() - started < 15_000]).toEqual([200, true]);
  });
});

describe('OpenTelemetry', () => {
  it('is loaded in one place only, when it is switched on', () => {
    const loads = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
      .flatMap((name) =>
        [...readFileSync(join('src', name), 'utf8').matchAll(/^.*['"]@opentelemetry\/.*$/gm)].map(([line]) => ({
          name,
          line,
        })),
      )
      .filter(({ line }) => !/^import \{ (type [\w ]+(, )?)+ \} from|^type /.test(line));
    expect(new Set(loads.map(({ name }) => name))).toEqual(new Set([join('platform', 'telemetry', 'telemetry.ts')]));
    for (const { line } of loads) expect(line).toContain('await import(');
  });
});
