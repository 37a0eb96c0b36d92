export interface Retries {
  /** How often a request is sent again; 0 sends each once. */
  readonly times: number;
  /** The first pause, where the service names none; each further one is about twice as long. */
  readonly pauseMs: number;
  /** The longest pause. When the service names a longer one, the request is not sent again, and the error has its `retryAfter`. */
  readonly maxPauseMs: number;
}

/** A rate limit of the service is over after a minute. */
export const defaultRetries: Retries = { times: 3, pauseMs: 500, maxPauseMs: 60_000 };

export type Send = (request: Request) => Promise<Response>;

/** The seconds of `Retry-After`, which may also be a date; null where it is absent or cannot be read. */
export const retryAfterOf = ({ headers }: Response): number | null => {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = /^\s*\d+\s*$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
};

/** A pause of random length, so that clients which failed together do not come back together. */
export const backOff = (attempt: number, { pauseMs, maxPauseMs }: Retries): number =>
  Math.min(maxPauseMs, pauseMs * 2 ** attempt) * (0.5 + Math.random() / 2);

/** Rejects with the reason of the signal when it is aborted. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

/** Statuses of a request that was refused before it did anything. A 409 has `Retry-After` while the first request still runs. */
const isRefused = ({ status, headers }: Response): boolean =>
  status === 429 || status === 503 || status === 408 || (status === 409 && headers.has('retry-after'));

/** Statuses of a proxy that does not know what the service has done. */
const isUnknown = ({ status }: Response): boolean => status === 502 || status === 504;

/** A read, or a write that takes effect once because it has a key. */
const mayRunTwice = ({ method, headers }: Request): boolean =>
  method === 'GET' || method === 'HEAD' || headers.has('idempotency-key');

/** Sends a request again where that is safe. `repeatable` says that every request may run twice. */
export const retrying =
  (send: Send, retries: Retries, repeatable = false): Send =>
  async (request) => {
    const { signal } = request;
    const isSafe = repeatable || mayRunTwice(request);
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= retries.times;
      const response = await send(request.clone()).catch((error: unknown) => {
        if (isLast || signal.aborted || !isSafe) throw error;
        return null;
      });
      let pauseMs = backOff(attempt, retries);
      if (response !== null) {
        const seconds = retryAfterOf(response);
        if (seconds !== null) pauseMs = seconds * 1000;
        const maySend = isRefused(response) || (isSafe && isUnknown(response));
        if (isLast || !maySend || pauseMs > retries.maxPauseMs) return response;
        await response.body?.cancel();
      }
      await pause(pauseMs, signal);
    }
  };
