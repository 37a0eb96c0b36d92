import { answerTooLarge } from './provider-faults.js';

/** Discovery documents, keys and tokens have a few thousand bytes. */
const maxAnswerBytes = 1024 ** 2;

/** Reads the whole answer within the time of the request, and no more than a provider needs to say. */
export const boundedFetch = async (url: string, options: object): Promise<Response> => {
  const answer = await fetch(url, options);
  if (!answer.body) return answer;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    // Leaving the loop ends the connection. The library passes on a TypeError, which `fetch` throws, and no other error.
    if (bytes > maxAnswerBytes) throw Object.assign(new TypeError('The answer is too large'), { code: answerTooLarge });
    chunks.push(chunk);
  }
  const { status, statusText, headers } = answer;
  return new Response(Buffer.concat(chunks), { status, statusText, headers });
};
