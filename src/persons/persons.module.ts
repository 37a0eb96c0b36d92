import { Module } from '@nestjs/common';
import { PersonRows } from './person-rows.js';

/** What others need of persons. Its URLs are in `PersonsRoutesModule`. */
@Module({
  providers: [PersonRows],
  exports: [PersonRows],
})
export class PersonsModule {}
