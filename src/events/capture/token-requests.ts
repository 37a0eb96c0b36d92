import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { RequestLimits } from '../../auth/limits/request-limits.js';
import { ProjectTokens } from '../../kernel/projects/project-tokens.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { type Fields, isFields } from '../../platform/fields/values.js';
import { kilobyte } from '../../platform/http/body-limit.js';
import { readRawBody } from '../../platform/http/raw-body.js';
import { contextOf } from '../../platform/http/request-context.js';
import { readJsonBody } from '../../platform/values/json.js';
import { CaptureLimits, duringUnpacking } from './capture-limits.js';
import { problemOfCapture } from './capture.service.js';
import { unwrap } from './decode.js';
import { bearerToken } from './dialect.js';
import { badToken } from './failure.js';
import { TokenSearch } from './token.js';

/** A question of an SDK is much smaller than a batch of events. */
const maxBytes = 512 * kilobyte;
const limits = { depth: 50, nodes: 20_000, keys: 5_000 };

/** A request that a project token opens, and that captures no events. */
export interface TokenRequest {
  readonly projectId: number;
  readonly body: Fields;
}

/**
 * Opens requests of SDKs that ask something with the project token: they are packed as captured events are, and a project may send
 * as many of both together.
 */
@Injectable()
export class TokenRequests {
  constructor(
    private readonly tokens: ProjectTokens,
    private readonly requestLimits: RequestLimits,
    private readonly captureLimits: CaptureLimits,
  ) {}

  /** `outside` is a token that a header contains. */
  async open(request: Request, outside: string | null = null): Promise<TokenRequest> {
    const body = await bodyOf(request);
    const { query } = request;
    const search = new TokenSearch();
    search.addOutside(outside ?? bearerToken(request.get('authorization') ?? ''));
    search.add({ api_key: query.api_key, token: query.token });
    search.add(body);
    const found = search.verdict();
    if (!found.ok) throw problemOfCapture(found);
    const project = await this.tokens.find(found.token, () => this.requestLimits.refuseUsedUp(request));
    if (project === null)
      throw problemOfCapture(badToken('The project token is unknown: send the api_token of a project', 'api_key'));
    contextOf(request).tokenProjectId = project.id;
    this.captureLimits.take(project.id, 1);
    return { projectId: project.id, body };
  }
}

const bodyOf = async (request: Request): Promise<Fields> => {
  const inQuery = typeof request.query.data === 'string' ? request.query.data : '';
  const sent = request.method === 'POST' ? await readRawBody(request, maxBytes) : Buffer.alloc(0);
  const packed = sent.length === 0 ? Buffer.from(inQuery) : sent;
  if (packed.length === 0) return {};
  const unwrapped = await duringUnpacking((admission) => unwrap(packed, admission));
  if (!unwrapped.ok) throw problemOfCapture(unwrapped);
  const body = await readJsonBody(unwrapped.json, limits);
  if (!isFields(body)) throw invalidInput('The body must be an object');
  return body;
};
