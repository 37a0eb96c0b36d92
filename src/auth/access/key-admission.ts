import { Inject, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { authenticationFailed } from '../../platform/errors/problem.js';
import { contextOf } from '../../platform/http/request-context.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { BoundedMap } from '../../platform/values/bounded-map.js';
import { digestOf, isKeyText } from '../keys/key-text.js';
import { RequestLimits } from '../limits/request-limits.js';
import { type KeyAccess, KeyLookup, type ProjectRef } from './key-lookup.js';

const hourMs = 3_600_000;
const maxRemembered = 10_000;

export const bearerOf = (request: Request): string | null => {
  const [, text] = /^Bearer +([^ ].*)$/i.exec(request.get('authorization') ?? '') ?? [];
  return text?.trim() || null;
};

/** Finds the personal API key that a request sends as bearer. */
@Injectable()
export class KeyAdmission {
  /** The time at which `last_used_at` of each key was last written. */
  private readonly touched = new BoundedMap<string, number>(maxRemembered);
  /**
   * Digests of keys that were valid at their last look-up. These keys are looked up even if their address has used up its limit.
   */
  private readonly valid = new BoundedMap<string, true>(maxRemembered);

  constructor(
    private readonly lookup: KeyLookup,
    private readonly limits: RequestLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws 401, which the caller counts, when the key is malformed, unknown or expired. */
  async authenticate(request: Request, text: string, ref: ProjectRef): Promise<KeyAccess> {
    const access = isKeyText(text) ? await this.find(request, digestOf(text), ref) : null;
    if (!access) throw authenticationFailed();
    this.touch(access);
    return access;
  }

  /** Returns the access that a key has now, without counting a request; null when it has none. */
  current(text: string, ref: ProjectRef): Promise<KeyAccess | null> {
    return this.unexpired(digestOf(text), ref, new Date());
  }

  private async find(request: Request, digest: Buffer, ref: ProjectRef): Promise<KeyAccess | null> {
    const name = digest.toString('base64');
    if (!this.valid.has(name)) this.limits.refuseUsedUp(request);
    const access = await this.unexpired(digest, ref, contextOf(request).now);
    if (access) this.valid.set(name, true);
    else this.valid.delete(name);
    return access;
  }

  private async unexpired(digest: Buffer, ref: ProjectRef, now: Date): Promise<KeyAccess | null> {
    const access = await this.lookup.find(digest, ref);
    const expiresAt = access?.caller.expiresAt ?? null;
    return expiresAt !== null && expiresAt <= now ? null : access;
  }

  /** Writes `last_used_at`, which is exact to the hour only, so no request waits for the update or fails with it. */
  private touch({ caller: { keyId }, lastUsedAt }: KeyAccess): void {
    const now = Date.now();
    const known = Math.max(lastUsedAt?.getTime() ?? 0, this.touched.get(keyId) ?? 0);
    if (now - known < hourMs) return;
    this.touched.set(keyId, now);
    this.lookup.touch(keyId, new Date(now), new Date(now - hourMs)).catch((error: unknown) => {
      this.touched.delete(keyId);
      this.logger.warn({ key_id: keyId, err: error }, 'last_used_at could not be written');
    });
  }
}
