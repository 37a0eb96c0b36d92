import { KeptText } from '../../common/kept-text.js';
import { isProjected, projectedProperties } from '../../stores/clickhouse/schema/properties.js';
import { type NormalisedEvent } from '../normalise/normalise.js';

/** A normalised event whose properties are written: while it waits for its commit, a text is all that is kept of them. */
export interface LoggableEvent extends Omit<NormalisedEvent, 'properties'> {
  /** As JSON. */
  readonly properties: KeptText;
  /** As ClickHouse holds them, mostly the same text. */
  readonly projected: KeptText;
}

export const loggable = (event: NormalisedEvent): LoggableEvent => {
  const { properties } = event;
  const written = KeptText.of(JSON.stringify(properties));
  return {
    uuid: event.uuid,
    event: event.event,
    distinctId: event.distinctId,
    timestamp: event.timestamp,
    properties: written,
    projected: isProjected(properties) ? written : KeptText.of(JSON.stringify(projectedProperties(properties))),
    person: event.person,
    merge: event.merge,
    identifies: event.identifies,
    warnings: event.warnings,
  };
};
