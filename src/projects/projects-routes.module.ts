import { Module } from '@nestjs/common';
import { AnalyticsModule } from '../analytics/analytics.module.js';
import { ProjectDeletionsController } from './deletion/project-deletions.controller.js';
import { OrganizationsController } from './organizations.controller.js';
import { ProjectWrites } from './project-writes.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsModule } from './projects.module.js';
import { TokenRotation } from './tokens/token-rotation.js';

/** Separate from `ProjectsModule` because the command line has no routes, and no ClickHouse to check settings with. */
@Module({
  imports: [AnalyticsModule, ProjectsModule],
  controllers: [OrganizationsController, ProjectsController, ProjectDeletionsController],
  providers: [ProjectWrites, TokenRotation],
})
export class ProjectsRoutesModule {}
