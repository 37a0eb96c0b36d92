import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { bearerOf, KeyAdmission } from '../../auth/access/key-admission.js';
import { RequestLimits } from '../../auth/limits/request-limits.js';
import { type GrantedScope, holds } from '../../kernel/access/scopes.js';
import { type CookielessVisitors } from '../../kernel/event-log/normalise/visitor-id.js';
import { type Protection } from '../../kernel/event-log/normalise/protection.js';
import { type TokenProject } from '../../kernel/projects/project-tokens.js';
import { permissionDenied } from '../../platform/errors/problem.js';
import { clientAddress } from '../../platform/http/client-address.js';
import { contextOf } from '../../platform/http/request-context.js';
import { isFromBrowser } from '../../platform/http/same-origin.js';

/** The parts of a request that a capture needs besides the payload. */
export interface CaptureSender {
  /** Throws when the sender has used up its look-ups of unknown tokens. */
  readonly beforeLookup: () => void;
  /** Receives the project once the token has been looked up. */
  readonly onProject: (projectId: number) => void;
  /** Address and browser, by which visitors in cookieless mode are distinguished. */
  readonly visitor: () => Pick<CookielessVisitors, 'address' | 'userAgent'>;
  /** Returns the changes that the sender may not make; null if it may make all. */
  readonly protection: (project: TokenProject) => Promise<Protection | null>;
}

@Injectable()
export class Senders {
  constructor(
    private readonly limits: RequestLimits,
    private readonly keys: KeyAdmission,
  ) {}

  of(request: Request): CaptureSender {
    return {
      beforeLookup: () => this.limits.refuseUsedUp(request),
      onProject: (projectId) => {
        contextOf(request).tokenProjectId = projectId;
      },
      visitor: () => ({ address: clientAddress(request), userAgent: request.get('user-agent') ?? '' }),
      protection: (project) => this.protection(request, project),
    };
  }

  /** Looks at the key of a request only where a project protects something, so that others pay nothing for it. */
  private async protection(request: Request, project: TokenProject): Promise<Protection | null> {
    const { protectedPersonProperties: persons, protectedGroupProperties: groups, protectedMerges: merges } = project;
    if (persons.length === 0 && groups.length === 0 && !merges) return null;
    const scopes = await this.scopesOf(request, project);
    const mayChangePersons = holds(scopes, 'person:write');
    return {
      personProperties: new Set(mayChangePersons ? [] : persons),
      groupProperties: new Set(holds(scopes, 'group:write') ? [] : groups),
      merges: merges && !mayChangePersons,
    };
  }

  /** A key that is sent and does not count is refused, so that its sender notices before anything is stored without it. */
  private async scopesOf(request: Request, { id }: TokenProject): Promise<readonly GrantedScope[]> {
    const text = bearerOf(request);
    if (text === null || !text.startsWith('phx_')) return [];
    if (isFromBrowser(request)) {
      throw permissionDenied(
        'A web page sent a secret key with its events: a page has the project token alone; revoke the key and send it from a server',
      );
    }
    const { caller, project } = await this.keys.authenticate(request, text, id);
    if (project === null) throw permissionDenied('The API key does not open the project of the project token');
    if (['person:write', 'group:write'].every((scope) => !holds(caller.scopes, scope as GrantedScope))) {
      throw permissionDenied('The API key lacks the scope person:write or group:write');
    }
    return caller.scopes;
  }
}
