import { type GrantedScope } from '../../kernel/access/scopes.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { isoOrNull } from '../../platform/http/dates.js';
import { type Grant } from './key-grant.js';
import { type KeyChanges } from './keys.repository.js';
import { type CreateKeyBody, type UpdateKeyBody } from './key.dto.js';
import { type PersonalApiKey } from './personal-api-key.entity.js';

export const requestedGrant = (body: CreateKeyBody, now: Date): Grant => ({
  scopes: distinct(body.scopes),
  projectIds: distinctOrNull(body.scoped_projects ?? null),
  expiresAt: futureOrNull(body.expires_at ?? null, now),
});

/** Returns the fields that the body changes. An unchanged expiry is no change, so it may be in the past. */
export const requestedChanges = (body: UpdateKeyBody, { expiresAt }: PersonalApiKey, now: Date): KeyChanges => ({
  label: body.label,
  scopes: body.scopes && distinct(body.scopes),
  projectIds: body.scoped_projects === undefined ? undefined : distinctOrNull(body.scoped_projects),
  expiresAt:
    body.expires_at === undefined || body.expires_at === isoOrNull(expiresAt)
      ? undefined
      : futureOrNull(body.expires_at, now),
});

const distinct = (scopes: readonly GrantedScope[]): GrantedScope[] => [...new Set(scopes)];

const distinctOrNull = (ids: readonly number[] | null): number[] | null => (ids === null ? null : [...new Set(ids)]);

const futureOrNull = (text: string | null, now: Date): Date | null => {
  if (text === null) return null;
  const date = new Date(text);
  if (Number.isNaN(date.getTime()))
    throw invalidInput('expires_at must be an ISO 8601 date such as 2030-01-31, or null for never', 'expires_at');
  if (date <= now) throw invalidInput('expires_at must lie in the future', 'expires_at');
  return date;
};
