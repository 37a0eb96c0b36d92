import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type DataSource } from 'typeorm';
import { underMigrationLock } from '../../kernel/stores/migrate.js';
import { type ProjectDto } from '../../projects/project.dto.js';
import { ProjectsService } from '../../projects/projects.service.js';
import { KeysService } from '../../auth/keys/keys.service.js';
import { UsersService } from '../../auth/users/users.service.js';

export interface Bootstrapped {
  readonly project_id: number;
  readonly project_token: string;
  readonly personal_api_key: string;
  readonly user_email: string;
}

export interface BootstrapRequest {
  readonly projectName: string;
  readonly email: string;
  readonly keyLabel: string;
}

/** Creates the first project, user and key of an installation. The user becomes its owner. */
@Injectable()
export class BootstrapService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly projects: ProjectsService,
    private readonly users: UsersService,
    private readonly keys: KeysService,
  ) {}

  /** Returns null when a project exists already. If several processes start together, exactly one of them creates the project. */
  bootstrap(request: BootstrapRequest, now: Date): Promise<Bootstrapped | null> {
    return underMigrationLock(this.dataSource, async () => {
      if (await this.projects.exists()) return null;
      // The name is checked before the user and the key are created, so that a refused bootstrap leaves nothing.
      await this.projects.assertValid({ name: request.projectName });
      const user = await this.users.getOrCreate(request.email, now);
      await this.users.makeOwner(user.id, now);
      const key = await this.keys.create(
        { userId: user.id, label: request.keyLabel, scopes: ['*'], projectIds: null, expiresAt: null },
        now,
      );
      const project: ProjectDto = await this.projects.create({ name: request.projectName }, now);
      return {
        project_id: project.id,
        project_token: project.api_token,
        personal_api_key: key.value ?? '',
        user_email: user.email,
      };
    });
  }
}
