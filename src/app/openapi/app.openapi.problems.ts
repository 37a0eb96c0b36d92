import { type OpenAPIObject } from '@nestjs/swagger';
import {
  authenticationFailed,
  conflict,
  invalidInput,
  notFound,
  permissionDenied,
  type Problem,
  requestTimeout,
  throttled,
  tooLarge,
  unavailable,
  unsupportedMediaType,
} from '../../platform/errors/problem.js';
import { headersTooLarge } from '../../platform/http/parser-errors.js';
import { idempotencyConflict } from '../../kernel/idempotency/idempotency-parameter.js';

const problems: readonly (readonly [Problem, string])[] = [
  [
    invalidInput('limit must be an integer from 1 to 1000', 'limit'),
    'A parameter or the body is not valid; `attr` names it.',
  ],
  [authenticationFailed(), 'No API key and no session, or one that is unknown, revoked, expired or malformed.'],
  [
    permissionDenied('The API key lacks the scope person:read'),
    'The key, or the role of the signed-in user, lacks a scope, named in `detail` and `X-Required-Scopes`; or a page of another origin sent the request with a session.',
  ],
  [
    notFound('there is no cohort 999'),
    'The record does not exist, or the key does not open its project: the answer is the same for both. ' +
      'The id or uuid of a person that was merged into another one gets the code `merged`, and `merged_into` names that person.',
  ],
  [
    conflict('This Idempotency-Key was used for another request: use a new one', 'Idempotency-Key'),
    `The request conflicts with stored records, as \`detail\` says. ${idempotencyConflict}`,
  ],
  [
    requestTimeout('The body did not arrive within 30 s: send it faster, or less at a time'),
    'The body arrived too slowly or stopped arriving; the connection is closed.',
  ],
  [
    tooLarge('The body must not exceed 100 kB on this route'),
    'The body exceeds `x-max-bytes` of the request body, as received or unpacked.',
  ],
  [
    unsupportedMediaType('Send the body as Content-Type: application/json'),
    'The body is not JSON, or its `Content-Encoding` is not gzip, deflate or br.',
  ],
  [
    throttled(12),
    'The rate limit of the user, or of the remote address without a valid key, is exhausted, or the address sends too many bytes at a time; `Retry-After` is the time to wait in seconds.',
  ],
  [headersTooLarge(), 'The path, the query and the headers exceed 16 kB together.'],
  [
    unavailable('The database cannot be reached at the moment'),
    'A store cannot be reached; try again after `Retry-After` seconds.',
  ],
];

const exampleOf = ({ status, type, code, detail, attr }: Problem): object => ({
  ...{ type, code, detail, attr, status },
  request_id: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e',
});

type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;

/** The answers that many routes share, each with an example of its own. */
export const problemResponses = (): Responses =>
  Object.fromEntries(
    problems.map(([problem, description]) => {
      const schema = { $ref: '#/components/schemas/ProblemDto' };
      const content = { 'application/problem+json': { schema, example: exampleOf(problem) } };
      return [`Problem${problem.status}`, { description, content }];
    }),
  );
