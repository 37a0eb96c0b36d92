import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectDeletion } from './deletion/project-deletion.entity.js';
import { ProjectDeletions } from './deletion/project-deletions.js';
import { Project } from './project.entity.js';
import { ProjectTokens } from './project-tokens.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Project, ProjectDeletion])],
  providers: [ProjectDeletions, ProjectsService, ProjectTokens],
  exports: [ProjectDeletions, ProjectsService, ProjectTokens],
})
export class ProjectsModule {}
