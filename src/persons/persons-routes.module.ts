import { Module } from '@nestjs/common';
import { PersonsController } from './persons.controller.js';
import { PersonsModule } from './persons.module.js';

/** Imported last: `persons/:id` would swallow `persons/funnel` and what else other modules answer beside it. */
@Module({
  imports: [PersonsModule],
  controllers: [PersonsController],
})
export class PersonsRoutesModule {}
