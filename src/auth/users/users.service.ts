import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Raw, type Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { notFound } from '../../common/errors/problem.js';
import { randomBase62 } from '../../common/random-token.js';
import { toUserDto, type UserDto } from './user.dto.js';
import { User } from './user.entity.js';

@Injectable()
export class UsersService {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  async get(id: number): Promise<UserDto> {
    const user = await this.users.findOneBy({ id });
    if (!user) throw notFound();
    return toUserDto(user);
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
    });
    await this.users.insert(user);
    return toUserDto(user);
  }
}
