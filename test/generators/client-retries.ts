import { Kohort, KohortError } from './client/index';

/** Loses the first answer, is refused once, and then reaches the service: what was made, and how often it was sent. */
const main = async (): Promise<void> => {
  const [baseUrl = '', key = '', project = ''] = process.argv.slice(2);
  const keys: (string | null)[] = [];
  const send = async (request: Request): Promise<Response> => {
    keys.push(request.headers.get('idempotency-key'));
    if (keys.length === 2) return new Response(null, { status: 503, headers: { 'retry-after': '0' } });
    const answer = await fetch(request);
    if (keys.length === 1) throw new TypeError('the connection broke after the service had answered');
    return answer;
  };
  const options = { baseUrl, key, project: Number(project), retries: { pauseMs: 1 } };
  const flaky = new Kohort({ ...options, fetch: send });
  const { id } = await flaky.createCohort({ name: 'Made once', is_static: true, distinct_ids: [] });
  const made: number[] = [];
  for await (const cohort of new Kohort(options).cohorts({ search: 'Made once', limit: 1 })) made.push(cohort.id);

  let refused = 0;
  const away = new Kohort({
    ...options,
    fetch: () => {
      refused += 1;
      return Promise.resolve(new Response('away', { status: 503, headers: { 'retry-after': '0' } }));
    },
  });
  const error: unknown = await away.updateCohort(id, { name: 'x' }).catch((reason: unknown) => reason);
  const status = error instanceof KohortError ? error.status : null;

  let sentOnce = 0;
  const done = new Kohort({
    ...options,
    fetch: () => {
      sentOnce += 1;
      return Promise.resolve(Response.json({ code: 'conflict', detail: 'was done', status: 409 }, { status: 409 }));
    },
  });
  const lost: unknown = await done.createCohort({ name: 'x', is_static: true }).catch((reason: unknown) => reason);
  process.stdout.write(
    JSON.stringify({
      isSame: made.join() === String(id),
      sent: keys.length,
      keys: new Set(keys).size,
      refused,
      status,
      done: [sentOnce, lost instanceof KohortError && [lost.status, lost.message]],
    }),
  );
};

void main();
