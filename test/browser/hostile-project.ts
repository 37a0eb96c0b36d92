import { randomUUID } from 'node:crypto';
import { sampleOf } from '../support/sample.js';
import { type ServiceHandle } from '../support/service-handle.js';

export interface HostileProject {
  readonly id: number;
  /** A person with a property for each text. */
  readonly person: string;
  readonly cohort: number;
  readonly dashboard: number;
}

const pairsOf = (texts: readonly string[]): (readonly [string, string])[] =>
  texts.flatMap((text, at) => (at % 2 === 0 ? [[text, texts[at + 1] ?? text] as const] : []));

/** A few at a time, because each of the texts is a request of its own. */
const inTurn = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const done: R[] = [];
  for (let at = 0; at < items.length; at += 8) done.push(...(await Promise.all(items.slice(at, at + 8).map(work))));
  return done;
};

const capture = async (service: ServiceHandle, token: string, texts: readonly string[]): Promise<void> => {
  const next = (at: number) => texts[at % texts.length] ?? '';
  const batch = texts.map((text, at) => ({
    event: text,
    distinct_id: text,
    properties: { [next(at + 1)]: next(at + 2), $current_url: next(at + 3), $set: { name: text, email: next(at + 4) } },
  }));
  const properties = Object.fromEntries(texts.map((text, at) => [text, next(at + 1)]));
  const all = { event: '$identify', distinct_id: 'everything', properties: { $set: properties } };
  const body = JSON.stringify({ api_key: token, batch: [...batch, all] });
  const answer = await fetch(`${service.url}/batch`, { method: 'POST', body });
  if (answer.status !== 200) throw new Error(await answer.text());
};

/** People with these names, who are members: their names are typed by themselves, so the tests write them as they are stored. */
const addMembers = async ({ pool }: ServiceHandle, projectId: number, texts: readonly string[]): Promise<void> => {
  for (const [first, last] of pairsOf(texts)) {
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO users (uuid, distinct_id, first_name, last_name, email, is_email_verified, hedgehog_config, created_at)
       VALUES ($1, $2, $3, $4, $5, false, '{}', now()) RETURNING id`,
      [randomUUID(), randomUUID(), first, last, `${randomUUID()}@example.test`],
    );
    await pool.query(
      `INSERT INTO project_members (project_id, user_id, role, joined_at) VALUES ($1, $2, 'viewer', now())`,
      [projectId, rows[0]?.id],
    );
  }
};

/**
 * A project in which each text is the name of an event and of a person, a property and a value, and part of a cohort. What
 * has shorter lists gets a part of the texts.
 */
export const hostileProject = async (service: ServiceHandle, texts: readonly string[]): Promise<HostileProject> => {
  const { id, api_token } = await service.newProject();
  await capture(service, api_token, texts);
  const send = async (method: 'POST' | 'PATCH', path: string, body: object): Promise<number> => {
    const answer = await service.call(method, `/api/projects/${id}/${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path} ${JSON.stringify(body)}: ${answer.text}`);
    return (answer.body as { id: number }).id;
  };
  const partOf = (shift: number) => pairsOf(sampleOf(texts, 3, shift));
  const cohorts = await inTurn(pairsOf(texts), ([name, description]) =>
    send('POST', 'cohorts', { name, description, is_static: true, person_ids: [] }),
  );
  const insights = await inTurn(partOf(0), ([name, description]) =>
    send('POST', 'insights', { name, description, question: { type: 'trends', params: { events: [{ id: name }] } } }),
  );
  await inTurn(partOf(1), ([name, key]) =>
    send('POST', 'feature_flags', {
      key: `flag-${randomUUID()}`,
      name,
      filters: { groups: [{ properties: [] }], multivariate: { variants: [{ key, rollout_percentage: 100 }] } },
    }),
  );
  const threshold = { configuration: { type: 'absolute', bounds: { lower: 1 } } };
  await inTurn(partOf(2), ([name]) =>
    send('POST', 'alerts', { name, insight: insights[0], threshold, enabled: false }),
  );
  const dashboards = await inTurn(partOf(1), ([name, description]) =>
    send('POST', 'dashboards', {
      name,
      description,
      tiles: insights.slice(0, 8).map((insight_id) => ({ insight_id })),
    }),
  );
  await inTurn(partOf(2), ([name, description]) =>
    send('POST', 'actions', { name, description, steps: [{ event: description }] }),
  );
  await inTurn(partOf(0), ([name, description]) => send('PATCH', 'catalogue/events', { name, description }));
  await inTurn(partOf(1), ([name, description]) =>
    send('PATCH', 'catalogue/properties', { kind: 'event', name, description }),
  );
  await addMembers(service, id, sampleOf(texts, 3));
  const query = { distinct_id: 'everything' };
  const { body } = await service.call('GET', `/api/projects/${id}/persons`, { query });
  const { uuid } = (body as { results: { uuid: string }[] }).results[0] ?? { uuid: '' };
  return { id, person: uuid, cohort: cohorts[0] ?? 0, dashboard: dashboards[0] ?? 0 };
};
