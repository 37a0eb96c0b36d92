import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { FiltersModule } from '../filters/filters.module.js';
import { FlagDecisions } from './evaluation/flag-decisions.js';
import { ProjectFlags } from './evaluation/project-flags.js';
import { Subjects } from './evaluation/subjects.js';
import { FlagDefinitionsController } from './flag-definitions.controller.js';
import { FlagsController } from './flags.controller.js';
import { FlagsRepository } from './flags.repository.js';
import { FlagsService } from './flags.service.js';
import { LocalDefinitions } from './local/local-definitions.js';
import { OfrepController } from './ofrep.controller.js';
import { FlagPreviews } from './preview/flag-previews.js';
import { SdkFlagsController } from './sdk-flags.controller.js';

@Module({
  imports: [EventsModule, FiltersModule],
  controllers: [FlagsController, FlagDefinitionsController, SdkFlagsController, OfrepController],
  providers: [FlagDecisions, FlagPreviews, FlagsRepository, FlagsService, LocalDefinitions, ProjectFlags, Subjects],
})
export class FlagsModule {}
