import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';
import { CatalogueController } from './catalogue.controller.js';
import { DefinitionsController } from './definitions.controller.js';
import { NamedDefinitions } from './names/named-definitions.js';
import { CatalogueProperties } from './properties/catalogue-properties.js';
import { CatalogueService } from './catalogue.service.js';
import { Definitions } from './names/definitions.js';
import { PropertyDays } from './properties/property-days.js';
import { UsersOfNames } from './names/users-of-names.js';

@Module({
  imports: [PersonsModule],
  controllers: [CatalogueController, DefinitionsController],
  providers: [CatalogueProperties, CatalogueService, Definitions, NamedDefinitions, PropertyDays, UsersOfNames],
})
export class CatalogueModule {}
