import { batchExport } from '../valid-bodies.js';
import { randomUUID } from 'node:crypto';
import { PersonsOf } from '../persons.js';
import { type Answer, type ServiceHandle } from '../service-handle.js';
import { makeUser } from '../signed-in.js';

export interface FullProject {
  readonly id: number;
  readonly name: string;
  readonly token: string;
  readonly people: PersonsOf;
  /** Opens this project only. */
  readonly key: { readonly id: string; readonly text: string };
}

const demand = (answer: Answer, ...statuses: readonly number[]): { readonly id: number } => {
  if (!statuses.includes(answer.status)) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body as { readonly id: number };
};

/** A project with something of every kind that the interface can make. */
export const makeFullProject = async (service: ServiceHandle, name: string): Promise<FullProject> => {
  const { id, api_token: token } = await service.newProject(name);
  const people = new PersonsOf(service, id);
  const post = async (path: string, body: object, headers = {}) =>
    demand(await people.call('POST', path, { body, headers }), 200, 201);
  const ada = await people.make(['ada', 'ada-2', 'ada-3'], { email: 'ada@example.test' });
  const bob = await people.make(['bob', 'bob-2'], { plan: 'pro' });
  const gone = await people.make(['gone']);
  await capture(service, token, [
    { event: 'paid', distinct_id: 'ada', properties: { $lib: 'web', $lib_version: '1.0.0' } },
    { event: '$create_alias', distinct_id: 'ada', properties: { alias: 'null' } },
    { event: 'seen', distinct_id: 'nobody', properties: { $process_person_profile: false } },
    { event: 'seen', distinct_id: 'ada', properties: { $groups: { company: 'acme' } } },
    { event: 'seen', distinct_id: 'ada', properties: { $groups: { company: 'bolt' } } },
  ]);
  await post('cohorts', { name: 'Listed', is_static: true, person_ids: [ada.id, bob.id, gone.id] });
  const dynamic = { properties: { type: 'AND', values: [{ key: 'plan', type: 'person', value: 'pro' }] } };
  demand(await people.call('POST', 'cohorts', { body: { name: 'Pro', filters: dynamic }, query: { wait: 30 } }), 201);
  await post(`persons/${ada.id}/split`, { distinct_ids_to_split: ['ada-3'] }, { 'Idempotency-Key': 'split' });
  await post(`persons/${ada.id}/merge`, { persons: [bob.id] });
  demand(await people.call('DELETE', `persons/${gone.id}?delete_events=true`), 204);
  await post('cohorts', {
    name: 'Accounts',
    actor: 'group',
    group_type_index: 0,
    is_static: true,
    group_keys: ['acme'],
  });
  const bolt = demand(
    await people.call('GET', 'groups/find', { query: { group_type_index: 0, group_key: 'bolt' } }),
    200,
  );
  demand(await people.call('DELETE', `groups/${bolt.id}?delete_mentions=true`), 204);
  await post('batch_exports', batchExport);
  const action = await post('actions', { name: 'Paid', steps: [{ event: 'paid' }] });
  const events = ['cohort.changed', 'action.matched'];
  await post('webhooks', { url: 'https://receiver.invalid/hook', paused: true, events, action: action.id });
  const insight = await post('insights', { name: 'Trend', question: { type: 'trends', params: {} } });
  const dashboard = await post('dashboards', { name: 'Board' });
  await post(`dashboards/${dashboard.id}/links`, {});
  await post(`dashboards/${dashboard.id}/schedules`, { webhooks: true, hour: 9 });
  await post('annotations', { content: 'Released', date_marker: '2024-03-01' });
  await post('feature_flags', { key: 'beta' });
  const threshold = { configuration: { type: 'absolute', bounds: { upper: 1 } } };
  await post('alerts', { insight: insight.id, threshold, enabled: false });
  await post('invitations', { email: `${randomUUID()}@example.test`, role: 'viewer' });
  demand(await people.call('PATCH', 'catalogue/events', { body: { name: 'paid', description: 'money' } }), 200);
  const lines = { body: '', headers: { 'content-type': 'application/x-ndjson' }, query: { wait: 0 } };
  demand(await people.call('POST', 'import', lines), 202);
  await makeUser(service, { roles: { [id]: 'member' } });
  const key = await service.newKey({ projectIds: [id] });
  await writeRest(service, id, insight.id, dashboard.id);
  return { id, name, token, people, key };
};

export const capture = (service: ServiceHandle, token: string, batch: readonly object[]): Promise<Answer> =>
  service.call('POST', '/batch', { key: null, body: { api_key: token, batch } });

/** Rows that take long to come about, or that are there for a moment only. */
const writeRest = async ({ pool }: ServiceHandle, id: number, insight: number, dashboard: number): Promise<void> => {
  const run = randomUUID();
  await pool.query(
    'INSERT INTO dashboard_tiles (project_id, dashboard_id, insight_id, position, width) VALUES ($1, $2, $3, 0, 1)',
    [id, dashboard, insight],
  );
  await pool.query(
    `INSERT INTO event_days (project_id, day, events) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 1)
     ON CONFLICT DO NOTHING`,
    [id],
  );
  // Citus alone fills these by itself.
  await pool.query('INSERT INTO project_gates (project_id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
  await pool.query(
    `INSERT INTO node_outbox (project_id, kind, refs, size, created_at, is_arrival) VALUES ($1, 'persons', '[]', 0, now(), false)`,
    [id],
  );
  await pool.query(
    `INSERT INTO audit_trail (project_id, id, user_id, operation, ids, request_id, created_at)
     SELECT $1, $2, min(id), 'listPersons', '{}', 'request', now() FROM users`,
    [id, randomUUID()],
  );
  await pool.query(
    `INSERT INTO alert_checks (project_id, alert_id, interval_start, value, compared, breached, checked_at)
     SELECT project_id, id, now(), 1, 1, false, now() FROM alerts WHERE project_id = $1`,
    [id],
  );
  await pool.query(
    `INSERT INTO alert_mails (project_id, id, notice_id, user_id, attempts, next_attempt_at, created_at)
     VALUES ($1, $2, 1, 1, 0, now() + interval '1 year', now())`,
    [id, randomUUID()],
  );
  await pool.query(
    `INSERT INTO batch_export_runs (project_id, batch_export_id, period_start, period_end, status, files, records, bytes, attempts,
       created_at) SELECT project_id, id, now(), now(), 'Completed', 0, 0, 0, 1, now() FROM batch_exports WHERE project_id = $1`,
    [id],
  );
  await pool.query('INSERT INTO dashboard_favourites SELECT $1, $2, min(id) FROM users', [id, dashboard]);
  await pool.query('INSERT INTO insight_favourites SELECT $1, $2, min(id) FROM users', [id, insight]);
  await pool.query(
    `INSERT INTO expiry_runs (project_id, id, run, ttl_days_by_name, counted_from, received_up_to, state, started_at,
       deleted_in_pass, events_deleted) VALUES ($1, $2, 1, '{}', now(), now(), 'stopped', now(), 0, 0)`,
    [id, run],
  );
  await pool.query(`INSERT INTO expiry_run_events VALUES ($1, $2, 'paid', 1)`, [id, run]);
  await pool.query(
    `INSERT INTO webhook_positions (project_id, webhook_id, cohort_id, change_id, change_offset, failures)
     SELECT project_id, id, 1, 0, 0, 0 FROM webhooks WHERE project_id = $1`,
    [id],
  );
  await pool.query(
    `INSERT INTO webhook_members (project_id, webhook_id, cohort_id, person_id, identifier)
     SELECT project_id, id, 1, 1, 'ada' FROM webhooks WHERE project_id = $1`,
    [id],
  );
  await pool.query(
    `INSERT INTO webhook_deliveries (project_id, webhook_id, id, from_change, from_offset, to_change, to_offset, read_limit, changes,
       status, attempts, created_at) SELECT project_id, id, $2, 0, 0, 0, 0, 1, 0, 'delivered', 1, now() FROM webhooks WHERE project_id = $1`,
    [id, randomUUID()],
  );
  await pool.query(
    `INSERT INTO import_pieces (project_id, job_id, position, received_at, lines) SELECT project_id, id, 7, now(), ''
     FROM import_jobs WHERE project_id = $1`,
    [id],
  );
  await pool.query(`INSERT INTO ingestion_counts VALUES ($1, 'rejected', 'test', 1, now()) ON CONFLICT DO NOTHING`, [
    id,
  ]);
  await pool.query(
    `INSERT INTO distinct_id_counts (project_id, person_id, distinct_ids) SELECT project_id, max(id), 1 FROM persons
     WHERE project_id = $1 GROUP BY project_id`,
    [id],
  );
  await pool.query(`INSERT INTO unsealed_events (project_id, uuids, size, received_at) VALUES ($1, '{}', 0, now())`, [
    id,
  ]);
  await pool.query('INSERT INTO sealing_walks (project_id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
  await pool.query(
    `INSERT INTO event_blocks (project_id, id, day, archive, archive_row, removals)
     VALUES ($1, gen_random_uuid(), '2024-01-01', $2, 0, 0)`,
    [id, run],
  );
  await pool.query(
    `INSERT INTO event_archives (project_id, id, day, state, events, bytes, sha256, created_at)
     VALUES ($1, $2, '2024-01-01', 'ready', 1, 1, '', now())`,
    [id, run],
  );
  await pool.query(
    `INSERT INTO project_costs VALUES ($1, date_trunc('hour', now()), 1, 1, 1, 1) ON CONFLICT DO NOTHING`,
    [id],
  );
  await pool.query(`INSERT INTO ingestion_libraries VALUES ($1, 'test', '1', now()) ON CONFLICT DO NOTHING`, [id]);
  await pool.query(
    `INSERT INTO cohort_uploads (project_id, cohort_id, number, uploaded_at) SELECT project_id, id, 1, now() FROM cohorts
     WHERE project_id = $1 ON CONFLICT DO NOTHING`,
    [id],
  );
};

/**
 * What is in these tables for a moment only: call it right before the project is deleted. The shipment was parked, so it is
 * not completed any more.
 */
export const writeFleeting = async ({ pool }: ServiceHandle, id: number): Promise<void> => {
  await pool.query(
    `INSERT INTO cohort_candidates (project_id, cohort_id, position, kind, value)
     SELECT project_id, max(id), 900, 'distinct_id', 'x' FROM cohorts WHERE project_id = $1 AND NOT is_static GROUP BY 1`,
    [id],
  );
  await pool.query(
    `INSERT INTO outbox_replay (id, project_id, kind, refs, size, created_at) VALUES ($1, $2, 'events', '[]', 0, now())`,
    [1_000_000 + id, id],
  );
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO outbox (project_id, kind, refs, size, created_at) VALUES ($1, 'persons', '["1"]', 1, now()) RETURNING id`,
    [id],
  );
  await pool.query(
    `INSERT INTO shipments (outbox_ids, chunks, claimed_at, holder, projects, project_id, parked_at)
     VALUES ($1, '{}', now(), gen_random_uuid(), ARRAY[$2::integer], $2, now())`,
    [[rows[0]?.id], id],
  );
};
