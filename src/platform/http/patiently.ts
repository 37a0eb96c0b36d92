import { setTimeout as sleep } from 'node:timers/promises';

const tries = 8;
const firstDelayMs = 500;
const longestDelayMs = 60_000;

const isPassing = (status: number): boolean => status === 429 || status >= 500;

/**
 * Sends a request again while its server is busy, limits the rate or cannot be reached, after the time that it names. The last
 * answer is returned whatever it says.
 */
export const patiently = async (send: () => Promise<Response>): Promise<Response> => {
  for (let tried = 1; ; tried += 1) {
    const isLast = tried === tries;
    const answer = await send().catch((error: unknown) => {
      // As which `fetch` throws what happens to a connection.
      if (isLast || !(error instanceof TypeError)) throw error;
      return null;
    });
    if (answer && (isLast || !isPassing(answer.status))) return answer;
    await answer?.body?.cancel();
    const named = Number(answer?.headers.get('retry-after')) * 1000;
    await sleep(Math.min(longestDelayMs, named > 0 ? named : firstDelayMs * 2 ** (tried - 1)));
  }
};
