import { type Schemas } from '../../api/types';

export const kinds = ['events', 'event', 'person'] as const;

/** The events themselves, the properties of events, or those of persons. */
export type CatalogueKind = (typeof kinds)[number];

/** An event, or a property, which has some fields more. */
export type CatalogueEntry = Schemas['CatalogueEventDto'] | Schemas['CataloguePropertyDto'];
