import { type CaptureRequest, open } from '../../src/events/capture/decode.js';
import { type CaptureFailure } from '../../src/events/capture/failure.js';
import { type CaptureContext } from '../../src/events/capture/body-events.js';
import { type EventRejection } from '../../src/kernel/event-log/normalise/normalise.js';

export interface DecodedCapture extends CaptureContext {
  readonly ok: true;
  readonly token: string;
  readonly rawEvents: unknown[];
  /** Of the events that exceed a limit; they are not among `rawEvents`. */
  readonly rejected: EventRejection[];
}

/** A whole capture body at once, as the service takes it chunk by chunk. */
export const decode = async (request: CaptureRequest): Promise<DecodedCapture | CaptureFailure> => {
  const opened = await open(request, () => Promise.resolve());
  if (!opened.ok) return opened;
  const rawEvents: unknown[] = [];
  const rejected: EventRejection[] = [];
  let context: CaptureContext = { sentAt: null, historicalMigration: false };
  const failure = await opened.read((chunk, found) => {
    context = found;
    if ('rejection' in chunk) rejected.push(chunk.rejection);
    else rawEvents.push(...chunk.rawEvents);
  });
  return failure ?? { ok: true, token: opened.token, ...context, rawEvents, rejected };
};
