import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectDeletion } from '../kernel/projects/project-deletion.entity.js';
import { ProjectDeletions } from './deletion/project-deletions.js';
import { Project } from '../kernel/projects/project.entity.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Project, ProjectDeletion])],
  providers: [ProjectDeletions, ProjectsService],
  exports: [ProjectDeletions, ProjectsService],
})
export class ProjectsModule {}
