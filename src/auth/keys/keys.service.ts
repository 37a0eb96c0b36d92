import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { type ActivityAuthor } from '../../kernel/activity/record-activity.js';
import { type Caller } from '../../kernel/access/caller.js';
import { type Author } from '../../kernel/access/author.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { assertUnchanged, readOnlyValue } from '../../platform/http/read-only-fields.js';
import { isUuid } from '../../platform/values/ids.js';
import { type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { recordChanged, recordCreated } from './key-activity.js';
import { type KeyCreationsDto } from './key-creations.dto.js';
import { creationsOf, endLinksOf } from './key-creations.js';
import { requireRule, lockCaller, refuseBeyond } from './key-authority.js';
import { refuseOneKeyTooMany } from './key-cap.js';
import { beyond, type Grant } from './key-grant.js';
import { revokeBeyond, revokeKey, type Children } from './key-revocation.js';
import { rotateKey } from './key-rotation.js';
import { everyKey, findKey, insertKey, lockKeysOf, ruledKeys, unknownProject, updateKey } from './keys.repository.js';
import { digestOf, maskOf, newKeyText } from './key-text.js';
import {
  overlapRange,
  toKeyDto,
  type CreateKeyBody,
  type KeyDto,
  type RotateKeyBody,
  type UpdateKeyBody,
} from './key.dto.js';
import { requestedGrant, requestedChanges } from './key-request.js';
import { type PersonalApiKey } from './personal-api-key.entity.js';
import { Postgres } from '../../platform/postgres/postgres.js';

interface NewKey extends Grant {
  readonly userId: number;
  readonly label: string;
}

@Injectable()
export class KeysService {
  constructor(private readonly postgres: Postgres) {}

  async list(caller: Caller, page: PageQuery): Promise<Slice<KeyDto>> {
    const { count, keys } = await ruledKeys(this.postgres, caller, page);
    return { count, results: keys.map((key) => toKeyDto(key)) };
  }

  /** Returns the keys of all users, for an operator at the command line. */
  async all(): Promise<(KeyDto & { readonly user_email: string })[]> {
    return (await everyKey(this.postgres)).map(({ email, ...key }) => ({ ...toKeyDto(key), user_email: email }));
  }

  async get(caller: Caller, id: string): Promise<KeyDto> {
    return toKeyDto(requireRule(caller, id, isUuid(id) ? await findKey(this.postgres, id) : null));
  }

  async creations(caller: Caller, id: string): Promise<KeyCreationsDto> {
    return creationsOf(this.postgres, (await this.get(caller, id)).id);
  }

  createFor(admitted: Caller, body: CreateKeyBody, author: Author): Promise<KeyDto> {
    const grant = requestedGrant(body, author.now);
    return this.postgres.transaction(async (client) => {
      const caller = await lockCaller(client, admitted, author.now);
      refuseBeyond(grant, caller);
      await assertProjects(client, grant.projectIds);
      return insert(
        client,
        { ...grant, userId: caller.userId, label: body.label },
        await makerOf(client, caller),
        author,
      );
    });
  }

  /** Makes a key for an operator at the command line, who may grant any rights, but only to existing projects. */
  create(key: NewKey, now: Date): Promise<KeyDto> {
    return this.postgres.transaction(async (client) => {
      await lockKeysOf(client, key.userId);
      await assertProjects(client, key.projectIds);
      return insert(client, key, operator, byOperator(now));
    });
  }

  update(admitted: Caller, id: string, body: UpdateKeyBody, author: Author): Promise<KeyDto> {
    for (const name of ['label', 'scopes'] as const) if (body[name] === null) throw required(name);
    return this.postgres.transaction(async (client) => {
      const caller = await lockCaller(client, admitted, author.now);
      const key = requireRule(caller, id, isUuid(id) ? await findKey(client, id) : null);
      assertUnchanged(body, ...formsOf(key, body));
      const changes = requestedChanges(body, key, author.now);
      const grant: Grant = {
        scopes: changes.scopes ?? key.scopes,
        projectIds: changes.projectIds === undefined ? key.projectIds : changes.projectIds,
        expiresAt: changes.expiresAt === undefined ? key.expiresAt : changes.expiresAt,
      };
      refuseBeyond(grant, caller);
      await assertProjects(client, changes.projectIds ?? null);
      const maker = await makerOf(client, caller);
      // A key that a session has widened must not outlive the rights of the session's user.
      const ofSession = maker.ofSession && beyond(grant, key) !== null ? true : undefined;
      await updateKey(client, key.id, { ...changes, ofSession });
      await recordChanged(client, key, changes, caller.keyId, author);
      if (beyond(key, grant) !== null) {
        await revokeBeyond(client, key, grant, caller, author);
        await endLinksOf(client, [key.id]);
      }
      return toKeyDto((await findKey(client, key.id)) as PersonalApiKey);
    });
  }

  rotate(admitted: Caller, id: string, body: RotateKeyBody, author: Author): Promise<KeyDto> {
    return this.postgres.transaction(async (client) => {
      const caller = await lockCaller(client, admitted, author.now);
      const key = requireRule(caller, id, isUuid(id) ? await findKey(client, id) : null);
      // A session manages stronger keys too, but must not get to know their secrets.
      refuseBeyond(key, caller);
      const overlapMs = (body.overlap_seconds ?? overlapRange.fallback) * 1000;
      const until = overlapMs > 0 ? new Date(this.postgres.clock.now().getTime() + overlapMs) : null;
      return rotateKey(client, key, until, caller, author);
    });
  }

  revoke(admitted: Caller, id: string, children: Children, author: Author): Promise<void> {
    return this.postgres.transaction(async (client) => {
      const caller = await lockCaller(client, admitted, author.now);
      const key = requireRule(caller, id, isUuid(id) ? await findKey(client, id) : null);
      await revokeKey(client, key, children, caller, author);
    });
  }

  /** Revokes a key. Returns the ids of the revoked keys: that key and the keys it made, or none when it does not exist. */
  async revokeByOperator(id: string, children: Children, now: Date): Promise<string[]> {
    const known = isUuid(id) ? await findKey(this.postgres, id) : null;
    if (!known) return [];
    return this.postgres.transaction(async (client) => {
      await lockKeysOf(client, known.userId);
      const key = await findKey(client, id);
      return key ? revokeKey(client, key, children, null, byOperator(now)) : [];
    });
  }
}

/**
 * The forms in which a client may send the key back: as it is read, or with its text, as the answer to its creation showed it.
 */
const formsOf = (key: PersonalApiKey, body: UpdateKeyBody): KeyDto[] => {
  const text = readOnlyValue(body, 'value');
  const isText = typeof text === 'string' && digestOf(text).equals(key.digest);
  return [toKeyDto(key), ...(isText ? [toKeyDto(key, text)] : [])];
};

const byOperator = (now: Date): ActivityAuthor => ({ userId: null, requestId: null, now });

/** The maker of a key: an operator, a session, or another key, which becomes its parent. */
type Maker = Pick<PersonalApiKey, 'parentId' | 'ofSession'>;

const operator: Maker = { parentId: null, ofSession: false };

const makerOf = async (client: ClientBase, { keyId }: Caller): Promise<Maker> =>
  keyId === null
    ? { parentId: null, ofSession: true }
    : { parentId: keyId, ofSession: (await findKey(client, keyId))?.ofSession ?? false };

const insert = async (
  client: ClientBase,
  { userId, label, scopes, projectIds, expiresAt }: NewKey,
  { parentId, ofSession }: Maker,
  author: ActivityAuthor,
): Promise<KeyDto> => {
  const text = newKeyText();
  const key: PersonalApiKey = {
    ...{ id: uuidv7(), userId, label, digest: digestOf(text), maskValue: maskOf(text) },
    ...{ previousDigest: null, previousUntil: null },
    scopes: [...scopes],
    projectIds: projectIds === null ? null : [...projectIds],
    ...{ parentId, ofSession, createdAt: author.now, lastUsedAt: null, expiresAt },
  };
  await refuseOneKeyTooMany(client, userId);
  await insertKey(client, key);
  await recordCreated(client, key, author);
  return toKeyDto(key, text);
};

const assertProjects = async (client: ClientBase, ids: readonly number[] | null): Promise<void> => {
  if (ids === null) return;
  const missing = await unknownProject(client, ids);
  if (missing >= 0)
    throw invalidInput(`scoped_projects names no project: ${ids[missing]}`, `scoped_projects.${missing}`);
};
