import { type components } from './schema';

type Schemas = components['schemas'];

/** An event, or a property, which has some fields more. */
export type CatalogueEntry = Schemas['CatalogueEventDto'] & Partial<Schemas['CataloguePropertyDto']>;
