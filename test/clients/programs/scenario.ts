import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Kohort, KohortError, verifyWebhook, WebhookError, type CohortChange } from '@kohort/client';

const [baseUrl = '', ownerKey = '', project = '', token = ''] = process.argv.slice(2);
const retries = { pauseMs: 1 };

/** What happens to the next requests, which `seen` then returns. */
const faults = async (...next: string[]): Promise<void> => {
  await fetch(`${baseUrl}/faults`, { method: 'POST', body: JSON.stringify(next) });
};
const seen = async (): Promise<{ method: string; path: string; key: string | null }[]> =>
  (await (await fetch(`${baseUrl}/faults`)).json()) as { method: string; path: string; key: string | null }[];

const refusal = async (work: () => Promise<unknown>): Promise<KohortError> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof KohortError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

const broken = (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => false,
    (error: unknown) => !(error instanceof KohortError),
  );

const owner = new Kohort({ baseUrl, key: ownerKey, project: Number(project), retries });
const made = await owner.api.POST('/api/personal_api_keys', {
  body: { label: 'TypeScript', scopes: ['*'], scoped_projects: [Number(project)] },
});
const kohort = new Kohort({ baseUrl, key: made.data?.value ?? '', retries });
const outcome: Record<string, unknown> = {};

// Events, of which the first answer is lost.
await faults('lose');
const plans = { ada: 'pro', bob: 'pro', eve: 'free' };
const captured = await kohort.capture(
  token,
  Object.entries(plans).map(([name, plan]) => ({
    event: 'signed up',
    distinct_id: name,
    timestamp: new Date(),
    properties: { $set: { name, plan } },
  })),
);
const stored: string[] = [];
for await (const { event } of kohort.events({ limit: 2 })) stored.push(event);
outcome.captured = [(await seen())[1]?.path, captured.accepted, captured.duplicates, stored.length];

// A cohort: refused, answered by no service, and then its answer is lost.
const pro = (name: string) => ({
  name,
  filters: { properties: { type: 'AND' as const, values: [{ type: 'person' as const, key: 'plan', value: 'pro' }] } },
});
await faults('503 0', '502', 'lose');
const cohort = await kohort.createCohort(pro('Customers'), { wait: 30 });
const attempts = await seen();
const named: string[] = [];
for await (const each of kohort.cohorts({ search: 'Customers', limit: 1 })) named.push(each.name);
outcome.cohort = [cohort.count, attempts.length, new Set(attempts.map(({ key }) => key)).size, named];

// A copy is made by GET, and once nevertheless.
await faults('lose');
const copy = await kohort.api.GET('/api/projects/{project_id}/cohorts/{id}/duplicate_as_static_cohort', {
  params: { path: { project_id: '@current', id: cohort.id } },
});
const all: string[] = [];
for await (const { name } of kohort.list('/api/projects/{project_id}/cohorts', { query: { limit: 1 } })) all.push(name);
outcome.copy = [copy.data?.count, all.length];

// Members in pages of one.
await faults();
const members: string[] = [];
for await (const { name } of kohort.members(cohort.id, { limit: 1 })) members.push(name);
outcome.members = [members.sort(), (await seen()).length];

// Changes: the members of now, and after the last cursor what has changed. Connections break.
const changed = ({ change, reason }: CohortChange): string => `${change} ${reason}`;
let after = '';
const snapshot: string[] = [];
for await (const each of kohort.changes(cohort.id)) {
  snapshot.push(changed(each));
  after = each.cursor;
  if (snapshot.length === 2) break;
}
const persons = kohort.persons({ distinct_id: ['bob'] });
for await (const { id } of persons)
  await kohort.api.PATCH('/api/projects/{project_id}/persons/{id}', {
    params: { path: { project_id: '@current', id: String(id) } },
    body: { properties: { plan: 'free' } },
  });
const recalculate = () =>
  kohort.api.POST('/api/projects/{project_id}/cohorts/{id}/recalculate', {
    params: { path: { project_id: '@current', id: cohort.id }, query: { wait: 30 } },
  });
await recalculate();
const followed: string[] = [];
const stop = new AbortController();
for await (const each of kohort.changes(cohort.id, { after, signal: stop.signal, wait: 1 })) {
  followed.push(changed(each));
  if (followed.length === 2) stop.abort();
  if (followed.length > 1) continue;
  await kohort.capture(token, [{ event: 'upgraded', distinct_id: 'eve', properties: { $set: { plan: 'pro' } } }]);
  await recalculate();
  // More than a request is tried: the feed goes on.
  await faults('cut', '503', 'lose', 'cut', '429 0', 'cut');
}
outcome.changes = [snapshot, followed];

// A webhook, whose message is verified.
let secret = '';
const received = new Promise<{ headers: IncomingHttpHeaders; body: string }>((done) => {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      response.writeHead(204).end();
      server.close();
      done({ headers: request.headers, body });
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    void (async () => {
      const hook = await kohort.api.POST('/api/projects/{project_id}/webhooks', {
        params: { path: { project_id: '@current' } },
        body: { url, cohorts: [cohort.id] },
      });
      secret = hook.data?.secret ?? '';
      await kohort.capture(token, [{ event: 'upgraded', distinct_id: 'bob', properties: { $set: { plan: 'pro' } } }]);
      await recalculate();
    })();
  });
});
const { headers, body } = await received;
const message = await verifyWebhook(secret, headers, body);
const forged = await Promise.all(
  [
    () => verifyWebhook(secret, headers, body.replace('entered', 'left')),
    () => verifyWebhook('whsec_b3RoZXI=', headers, body),
    () => verifyWebhook(secret, { ...headers, 'webhook-timestamp': '1700000000' }, body),
    () => verifyWebhook(secret, { ...headers, 'webhook-signature': 'v1,%' }, body),
    () => verifyWebhook(secret, {}, body),
    () => verifyWebhook(secret, headers, body, { toleranceSeconds: -1 }),
  ].map((verify) =>
    verify().then(
      () => 'accepted',
      (error: unknown) => (error instanceof WebhookError ? 'refused' : String(error)),
    ),
  ),
);
outcome.webhook = [
  message.id === headers['webhook-id'],
  message.type === 'cohort.changed' && message.data.changes.map(changed),
  forged,
];

// Refusals: of a definition, of a service that is away, and for longer than a client waits.
const definition = {
  properties: { type: 'AND' as const, values: [{ key: 'age', operator: 'regex' as const, value: '(' }] },
};
const { status, code, attr } = await refusal(() => kohort.createCohort({ name: 'Broken', filters: definition }));
outcome.refused = [status, code, attr];
await faults('503 0', '503 0', '503 0', '503 0');
const away = await refusal(() => kohort.updateCohort(cohort.id, { name: 'x' }));
outcome.away = [away.status, (await seen()).length];
await faults('429 3600');
const later = await refusal(() => kohort.updateCohort(cohort.id, { name: 'x' }));
const laterAttempts = (await seen()).length;
await faults(`503 ${new Date(Date.now() + 3_600_000).toUTCString()}`);
const atDate = await refusal(() => kohort.updateCohort(cohort.id, { name: 'x' }));
outcome.later = [later.status, later.retryAfter, laterAttempts, (atDate.retryAfter ?? 0) > 3500];

// A change without a key is not sent again when it is not known what the service has done.
await faults('lose');
const isBroken = await broken(() => kohort.updateCohort(cohort.id, { name: 'Renamed' }));
outcome.unknown = [isBroken, (await seen()).length];
await faults('502');
outcome.proxy = [(await refusal(() => kohort.updateCohort(cohort.id, { name: 'x' }))).status, (await seen()).length];

// A done request whose answer is lost for good: under the same key it is not done again.
const doneTwice = await refusal(() =>
  kohort.api.POST('/api/projects/{project_id}/cohorts', {
    params: { path: { project_id: '@current' }, header: { 'Idempotency-Key': attempts[0]?.key ?? '' } },
    body: pro('Another request'),
  }),
);
outcome.otherRequest = [doneTwice.status, doneTwice.code];
process.stdout.write(JSON.stringify(outcome));
