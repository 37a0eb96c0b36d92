import { Global, Module } from '@nestjs/common';
import { Projection } from './projection.js';
import { ProjectionRebuild } from './rebuild/projection-rebuild.js';

/** Global, because every writer wakes the projection and every question waits for it. */
@Global()
@Module({
  providers: [Projection, ProjectionRebuild],
  exports: [Projection, ProjectionRebuild],
})
export class ProjectionModule {}
