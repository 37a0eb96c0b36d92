import { type Response } from 'express';
import { countRows } from './compression.js';
import { endWhenStalled } from './send-stream.js';
import { watchAdmission } from './watch-admission.js';

/** The time after which a browser that was disconnected connects again. */
const reconnectMs = 2000;

export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // nginx would otherwise hold messages back until its buffer is full.
  'X-Accel-Buffering': 'no',
} as const;

/** The source of a stream of server-sent events: whole messages, until it ends. */
export interface MessageSource {
  texts(): AsyncIterable<string>;
  /** The records in the texts so far. */
  readonly rows: number;
  end(): void;
}

export interface EventStreamOptions {
  /** The stream ends after this time. */
  readonly seconds: number;
  readonly stalledMs: number;
  /** Called now and then: sends a comment, or ends the stream. */
  readonly beat?: { readonly everyMs: number; readonly on: () => Promise<void> };
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

/** Sends messages until the source, the time, the client, the loss of its rights or the service ends the stream. */
export const sendEventStream = async (
  response: Response,
  source: MessageSource,
  { seconds, stalledMs, beat, stopping }: EventStreamOptions,
): Promise<void> => {
  const end = () => source.end();
  const stopWatching = endWhenStalled(response, stalledMs);
  const stopLooking = watchAdmission(response.req, end);
  const beating = beat && setInterval(() => void beat.on(), beat.everyMs);
  const timeUp = setTimeout(end, seconds * 1000);
  response.once('close', end);
  stopping.addEventListener('abort', end);
  try {
    if (response.destroyed) return;
    response.status(200).set(eventStreamHeaders);
    if (!(await written(response, `retry: ${reconnectMs}\n\n`))) return;
    let counted = 0;
    for await (const text of source.texts()) {
      countRows(response, source.rows - counted);
      counted = source.rows;
      if (!(await written(response, text))) return;
    }
    response.end();
  } finally {
    clearInterval(beating);
    clearTimeout(timeUp);
    stopWatching();
    stopLooking();
    stopping.removeEventListener('abort', end);
  }
};

/** Resolves when the text has left the process: true, or false when the client is gone. */
const written = (response: Response, text: string): Promise<boolean> => {
  if (response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const gone = () => resolve(false);
    response.once('close', gone);
    response.write(text, (error) => {
      response.off('close', gone);
      resolve(!error);
    });
  });
};
