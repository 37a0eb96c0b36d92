import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { type ClientBase } from 'pg';
import { In, type Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { type Caller } from '../../common/access/caller.js';
import { type GrantedScope } from '../../common/access/scopes.js';
import { invalidInput, notFound, permissionDenied, required } from '../../common/errors/problem.js';
import { type PageQuery } from '../../common/pagination/page-query.js';
import { type Slice } from '../../common/pagination/page.js';
import { Project } from '../../projects/project.entity.js';
import { refuseOneKeyTooMany } from './key-cap.js';
import { beyond, type Grant } from './key-grant.js';
import { digestOf, maskOf, newKeyText } from './key-text.js';
import { toKeyDto, type CreateKeyDto, type KeyDto, type UpdateKeyDto } from './key.dto.js';
import { PersonalApiKey } from './personal-api-key.entity.js';

interface NewKey extends Grant {
  readonly userId: number;
  readonly label: string;
}

@Injectable()
export class KeysService {
  constructor(
    @InjectRepository(PersonalApiKey) private readonly keys: Repository<PersonalApiKey>,
    @InjectRepository(Project) private readonly projects: Repository<Project>,
  ) {}

  async list(caller: Caller, { limit, offset }: PageQuery): Promise<Slice<KeyDto>> {
    const [found, count] = await this.keys.findAndCount({
      where: { userId: caller.userId },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit,
      skip: offset,
    });
    return { count, results: found.map((key) => toKeyDto(key)) };
  }

  async all(): Promise<KeyDto[]> {
    return (await this.keys.find({ order: { createdAt: 'ASC', id: 'ASC' } })).map((key) => toKeyDto(key));
  }

  async get(caller: Caller, id: string): Promise<KeyDto> {
    return toKeyDto(await this.find(caller, id));
  }

  async createFor(caller: Caller, body: CreateKeyDto, now: Date): Promise<KeyDto> {
    const wanted: Grant = {
      scopes: distinct(body.scopes),
      projectIds: distinctOrNull(body.scoped_projects ?? null),
      expiresAt: futureOrNull(body.expires_at ?? null, now),
    };
    refuseBeyond(wanted, caller);
    await this.demandProjects(wanted.projectIds);
    return this.create({ ...wanted, userId: caller.userId, label: body.label }, now);
  }

  /** The operator at the command line may grant anything, but only to projects that exist. */
  async createByOperator(key: NewKey, now: Date): Promise<KeyDto> {
    await this.demandProjects(key.projectIds);
    return this.create(key, now);
  }

  async create({ userId, label, scopes, projectIds, expiresAt }: NewKey, now: Date): Promise<KeyDto> {
    const text = newKeyText();
    const key = this.keys.create({
      id: uuidv7(),
      userId,
      label,
      digest: digestOf(text),
      maskValue: maskOf(text),
      scopes: [...scopes],
      projectIds: projectIds === null ? null : [...projectIds],
      createdAt: now,
      lastUsedAt: null,
      expiresAt,
    });
    await this.keys.manager.transaction(async (manager) => {
      await refuseOneKeyTooMany((await manager.queryRunner?.connect()) as ClientBase, userId);
      await manager.insert(PersonalApiKey, key);
    });
    return toKeyDto(key, text);
  }

  async update(caller: Caller, id: string, body: UpdateKeyDto, now: Date): Promise<KeyDto> {
    const key = await this.find(caller, id);
    for (const name of ['label', 'scopes'] as const) if (body[name] === null) throw required(name);
    const wanted: Grant = {
      scopes: body.scopes ? distinct(body.scopes) : key.scopes,
      projectIds: body.scoped_projects === undefined ? key.projectIds : distinctOrNull(body.scoped_projects),
      expiresAt: body.expires_at === undefined ? key.expiresAt : futureOrNull(body.expires_at, now),
    };
    // Narrowing is always allowed, also of a key that can do more than the caller's.
    if (beyond(wanted, key) !== null) refuseBeyond(wanted, caller);
    await this.demandProjects(wanted.projectIds);
    await this.keys.update(
      { id: key.id, userId: caller.userId },
      {
        label: body.label ?? key.label,
        scopes: [...wanted.scopes],
        projectIds: wanted.projectIds === null ? null : [...wanted.projectIds],
        expiresAt: wanted.expiresAt,
      },
    );
    return this.get(caller, id);
  }

  async revoke(caller: Pick<Caller, 'userId'>, id: string): Promise<void> {
    if (!isUUID(id)) throw notFound();
    const { affected } = await this.keys.delete({ id, userId: caller.userId });
    if (!affected) throw notFound();
  }

  async revokeByOperator(id: string): Promise<boolean> {
    return isUUID(id) && Boolean((await this.keys.delete({ id })).affected);
  }

  private async find(caller: Caller, id: string): Promise<PersonalApiKey> {
    const key = isUUID(id) ? await this.keys.findOneBy({ id, userId: caller.userId }) : null;
    if (!key) throw notFound();
    return key;
  }

  private async demandProjects(ids: readonly number[] | null): Promise<void> {
    if (ids === null) return;
    const known = await this.projects.find({ select: { id: true }, where: { id: In([...ids]) } });
    const missing = ids.findIndex((id) => !known.some((project) => project.id === id));
    if (missing >= 0)
      throw invalidInput(`scoped_projects names no project: ${ids[missing]}`, `scoped_projects.${missing}`);
  }
}

const refuseBeyond = (wanted: Grant, caller: Caller): void => {
  const field = beyond(wanted, caller);
  if (field)
    throw permissionDenied(`A key cannot grant what it lacks: ${field} goes beyond the key of this request`, field);
};

const distinct = (scopes: readonly GrantedScope[]): GrantedScope[] => [...new Set(scopes)];

const distinctOrNull = (ids: readonly number[] | null): number[] | null => (ids === null ? null : [...new Set(ids)]);

const futureOrNull = (text: string | null, now: Date): Date | null => {
  if (text === null) return null;
  const date = new Date(text);
  if (Number.isNaN(date.getTime()))
    throw invalidInput('expires_at must be an ISO 8601 date, or null for never', 'expires_at');
  if (date <= now) throw invalidInput('expires_at must lie in the future', 'expires_at');
  return date;
};
