export interface Retries {
  /** How often a request is sent again; 0 sends each once. */
  readonly times: number;
  /** The first pause, where the service names none; each further one is twice as long. */
  readonly pauseMs: number;
}

type Send = (request: Request) => Promise<Response>;

/**
 * What is answered with these may be sent again. A 409 has `Retry-After` while the first request still runs; without it the
 * request was done although its answer was lost, or the key belongs to another one: the caller has to know.
 */
const mayBeSentAgain = ({ status, headers }: Response): boolean =>
  status === 429 || status === 503 || (status === 409 && headers.has('retry-after'));

/** After a broken connection it is not known what the service has done: only a request that may run twice is sent again. */
const mayRunTwice = ({ method, headers }: Request): boolean =>
  method === 'GET' || method === 'HEAD' || headers.has('idempotency-key');

const pauseOf = (response: Response | null, attempt: number, { pauseMs }: Retries): number => {
  const seconds = Number(response?.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : pauseMs * 2 ** attempt;
};

/** Gives every POST an `Idempotency-Key`, so that it takes effect once, and sends again what may be. */
export const retrying =
  (send: Send, retries: Retries): Send =>
  async (request) => {
    if (request.method === 'POST' && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', crypto.randomUUID());
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= retries.times;
      const response = await send(request.clone()).catch((error: unknown) => {
        if (isLast || request.signal.aborted || !mayRunTwice(request)) throw error;
        return null;
      });
      if (response !== null && (isLast || !mayBeSentAgain(response))) return response;
      await response?.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, pauseOf(response, attempt, retries)));
    }
  };
