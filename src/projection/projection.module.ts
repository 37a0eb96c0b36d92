import { Global, Module } from '@nestjs/common';
import { Projection } from './projection.js';
import { ProjectionRebuild } from './rebuild/projection-rebuild.js';

/** Everyone who writes wakes it, everyone who asks waits for it. */
@Global()
@Module({
  providers: [Projection, ProjectionRebuild],
  exports: [Projection, ProjectionRebuild],
})
export class ProjectionModule {}
