import { type Request, type Response } from 'express';
import { createHash } from 'node:crypto';

/** A tag that changes with the answer. */
const etagOf = (answer: object): string =>
  `"${createHash('sha256').update(JSON.stringify(answer)).digest('base64url').slice(0, 27)}"`;

/** True if the client has the answer with this tag. */
export const isKnownTo = (request: Request, etag: string): boolean => {
  const known = request.get('if-none-match')?.split(',') ?? [];
  return known.some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
};

/** Sets the tag of the answer. Returns nothing for a client that has it, which gets 304. */
export const sendUnlessKnown = <Answer extends object>(
  request: Request,
  response: Response,
  answer: Answer,
): Answer | undefined => {
  const etag = etagOf(answer);
  response.set('ETag', etag);
  if (!isKnownTo(request, etag)) return answer;
  response.status(304);
  return undefined;
};
