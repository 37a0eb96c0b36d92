import { Global, Module } from '@nestjs/common';
import { HiddenNames } from '../persons/values/hidden-names.js';
import { CatalogueController } from './catalogue.controller.js';
import { CatalogueProperties } from './catalogue-properties.js';
import { CatalogueService } from './catalogue.service.js';
import { Definitions } from './definitions.js';
import { PropertyDays } from './property-days.js';
import { UsersOfNames } from './users-of-names.js';

/** The module is global because of `HiddenNames`: events and persons lie below and cannot import it. */
@Global()
@Module({
  controllers: [CatalogueController],
  providers: [
    CatalogueProperties,
    CatalogueService,
    Definitions,
    PropertyDays,
    UsersOfNames,
    { provide: HiddenNames, useExisting: Definitions },
  ],
  exports: [HiddenNames],
})
export class CatalogueModule {}
