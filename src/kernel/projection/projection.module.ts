import { Global, Module } from '@nestjs/common';
import { Projection } from './projection.js';

/** Global, because every writer wakes the projection and every question waits for it. */
@Global()
@Module({
  providers: [Projection],
  exports: [Projection],
})
export class ProjectionModule {}
