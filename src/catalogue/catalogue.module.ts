import { Global, Module } from '@nestjs/common';
import { HiddenNames } from '../persons/values/hidden-names.js';
import { CatalogueController } from './catalogue.controller.js';
import { CatalogueProperties } from './properties/catalogue-properties.js';
import { CatalogueService } from './catalogue.service.js';
import { Definitions } from './names/definitions.js';
import { PropertyDays } from './properties/property-days.js';
import { UsersOfNames } from './names/users-of-names.js';

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
