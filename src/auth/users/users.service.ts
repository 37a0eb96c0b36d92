import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { type ActivityAuthor } from '../../kernel/activity/record-activity.js';
import { type Caller } from '../../kernel/access/caller.js';
import { scopesOn, scopesWithin } from '../../kernel/access/roles.js';
import { organization } from '../../kernel/access/organization.js';
import { invalidInput, notFound } from '../../platform/errors/problem.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import {
  deleteProviderAccounts,
  findAccount,
  hasProviderAccount,
  insertUser,
  lockAccount,
  updateUser,
} from './users.repository.js';
import { emailFault } from './email.js';
import { fieldChange, recordUser } from './user-activity.js';
import { type MeDto, toUserDto } from './me.dto.js';
import { type UserDto } from '../../kernel/access/user.dto.js';
import { User } from './user.entity.js';
import { ownProjects, type OwnProject } from './user-rights.js';

@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly postgres: Postgres,
  ) {}

  async get(id: number): Promise<UserDto> {
    const user = await this.users.findOneBy({ id });
    if (!user) throw notFound();
    return toUserDto(user);
  }

  async me(caller: Caller): Promise<MeDto> {
    const user = await this.users.findOneBy({ id: caller.userId });
    if (!user) throw notFound();
    const [projects, hasSingleSignOn] = await Promise.all([
      ownProjects(this.postgres, caller),
      hasProviderAccount(this.postgres, user.id),
    ]);
    return {
      ...toUserDto(user),
      is_owner: user.isOwner,
      has_password: user.passwordHash !== null,
      has_single_sign_on: hasSingleSignOn,
      projects: projects.map(({ id, name, role }) => ({
        ...{ id, name, role: user.isOwner ? 'owner' : role },
        scopes: [...scopesWithin(caller.keyId === null ? scopesOn(caller.rights, [id]) : caller.scopes)],
      })),
      organization,
      organizations: [organization],
      team: teamOf(projects[0]),
    };
  }

  async findByEmail(email: string): Promise<UserDto | null> {
    const account = await findAccount(this.postgres, email);
    return account && this.get(account.id);
  }

  /** Returns the user with the e-mail, or makes one, for an operator at the command line or at the first start. */
  async getOrCreate(email: string, now: Date): Promise<UserDto> {
    const known = await this.findByEmail(email);
    if (known) return known;
    const fault = emailFault(email);
    if (fault !== null) throw invalidInput(`email ${fault}`, 'email');
    return this.postgres
      .transaction(async (client) => {
        const id = await insertUser(client, { email }, now);
        await recordUser(client, id, 'created', [], byOperator(now));
        return id;
      })
      .then((id) => this.get(id));
  }

  /** Returns the owner with the lowest id; null while the installation has none. */
  async firstOwner(): Promise<UserDto | null> {
    const [owner] = await this.users.find({ where: { isOwner: true }, order: { id: 'ASC' }, take: 1 });
    return owner ? toUserDto(owner) : null;
  }

  makeOwner(id: number, now: Date): Promise<void> {
    return this.postgres.transaction(async (client) => {
      const before = await lockAccount(client, id);
      if (!before || before.isOwner) return;
      await updateUser(client, id, { isOwner: true });
      await recordUser(client, id, 'updated', [fieldChange('is_owner', false, true)], byOperator(now));
    });
  }

  /**
   * Disconnects the user from all accounts at providers, so that the next account with the user's e-mail can be connected.
   * Returns the number of removed accounts.
   */
  disconnect(id: number, now: Date): Promise<number> {
    return this.postgres.transaction(async (client) => {
      await lockAccount(client, id);
      const count = await deleteProviderAccounts(client, id);
      if (count > 0) await recordUser(client, id, 'updated', [fieldChange('single_sign_on')], byOperator(now));
      return count;
    });
  }
}

const teamOf = (project: OwnProject | undefined): MeDto['team'] =>
  project === undefined
    ? null
    : {
        ...{ id: project.id, uuid: project.uuid, name: project.name, timezone: project.timezone },
        organization: organization.id,
      };

const byOperator = (now: Date): ActivityAuthor => ({ userId: null, requestId: null, now });
