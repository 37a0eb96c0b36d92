import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Raw, type Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { type Caller } from '../../common/access/caller.js';
import { scopesOn, scopesWithin } from '../../common/access/roles.js';
import { notFound } from '../../common/errors/problem.js';
import { randomBase62 } from '../../common/random-token.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { type MeDto, toUserDto, type UserDto } from './user.dto.js';
import { User } from './user.entity.js';
import { ownProjects } from './user-rights.js';

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
    const projects = await ownProjects(this.postgres, caller);
    return {
      ...toUserDto(user),
      is_owner: user.isOwner,
      has_password: user.passwordHash !== null,
      projects: projects.map(({ id, name, role }) => ({
        ...{ id, name, role: user.isOwner ? 'owner' : role },
        scopes: [...scopesWithin(caller.keyId === null ? scopesOn(caller.rights, [id]) : caller.scopes)],
      })),
    };
  }

  async findByEmail(email: string): Promise<UserDto | null> {
    const user = await this.users.findOneBy({ email: Raw((column) => `lower(${column}) = lower(:email)`, { email }) });
    return user && toUserDto(user);
  }

  async getOrCreate(email: string, now: Date): Promise<UserDto> {
    const known = await this.findByEmail(email);
    if (known) return known;
    const user = this.users.create({
      uuid: uuidv7(),
      distinctId: randomBase62(22),
      firstName: email.split('@')[0] ?? '',
      lastName: '',
      email,
      isEmailVerified: false,
      hedgehogConfig: {},
      createdAt: now,
      passwordHash: null,
      isOwner: false,
    });
    await this.users.insert(user);
    return toUserDto(user);
  }
}
