import { OffHeapText } from '../../platform/values/off-heap-text.js';
import { isProjected, projectedProperties } from '../projection/schema/properties.js';
import { type NormalisedEvent } from './normalise/normalise.js';

/** A normalised event with serialised properties: while it waits for its commit, only their text is held in memory. */
export interface LoggableEvent extends Omit<NormalisedEvent, 'properties'> {
  /** The properties as JSON. */
  readonly properties: OffHeapText;
  /** The properties in the form of ClickHouse, which is mostly the same text. */
  readonly projected: OffHeapText;
}

export const loggable = (event: NormalisedEvent): LoggableEvent => {
  const { properties } = event;
  const written = OffHeapText.of(JSON.stringify(properties));
  return {
    uuid: event.uuid,
    event: event.event,
    distinctId: event.distinctId,
    timestamp: event.timestamp,
    properties: written,
    projected: isProjected(properties) ? written : OffHeapText.of(JSON.stringify(projectedProperties(properties))),
    person: event.person,
    merge: event.merge,
    identifies: event.identifies,
    warnings: event.warnings,
  };
};
