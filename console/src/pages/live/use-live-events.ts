import { useEffect, useRef, useState } from 'react';
import { type EventRow } from '../../api/types';
import { type Connection, type StreamState } from '../../ui/stream-control';

export interface LiveEvents {
  /** The newest first, at most `mostShown`. */
  readonly events: readonly EventRow[];
  /** How many arrived and are not shown, because too many came at once. */
  readonly skipped: number;
  readonly state: StreamState;
  /** How often the stream began anew without knowing what it had missed. */
  readonly restarts: number;
}

const mostShown = 200;

/** Milliseconds. */
const reconnectAfter = 3000;

/** Follows the stream of a project. Events that arrive between two pictures are shown together. */
export const useLiveEvents = (address: string, isPaused: boolean): LiveEvents => {
  const [events, setEvents] = useState<readonly EventRow[]>([]);
  const [skipped, setSkipped] = useState(0);
  const [connection, setConnection] = useState<Connection>('connecting');
  const [restarts, setRestarts] = useState(0);
  const waiting = useRef<EventRow[]>([]);

  // Events that another filter let through go away when the filter changes.
  useEffect(
    () => () => {
      setEvents([]);
      setSkipped(0);
    },
    [address],
  );

  useEffect(() => {
    if (isPaused) return;
    let source: EventSource;
    let again: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    const show = (): void => {
      frame = 0;
      const arrived = waiting.current.reverse();
      waiting.current = [];
      setEvents((before) => [...arrived, ...before].slice(0, mostShown));
    };
    const restart = (): void => {
      connect();
      source.addEventListener('open', () => {
        setEvents([]);
        setRestarts((before) => before + 1);
      });
    };
    const connect = (): void => {
      source = new EventSource(address);
      source.addEventListener('open', () => setConnection('open'));
      // After a connection that broke the browser connects again by itself, and sends the id of the last message that it
      // has seen. After an answer other than a stream, such as that of a service that ends or starts, it would not.
      source.addEventListener('error', () => {
        setConnection('lost');
        if (source.readyState === EventSource.CLOSED) again = setTimeout(restart, reconnectAfter);
      });
      source.addEventListener('event', ({ data }: MessageEvent<string>) => {
        waiting.current.push(JSON.parse(data) as EventRow);
        if (waiting.current.length > mostShown) waiting.current.shift();
        if (frame === 0) frame = requestAnimationFrame(show);
      });
      source.addEventListener('skipped', ({ data }: MessageEvent<string>) => {
        const { count } = JSON.parse(data) as { count: number | null };
        setSkipped((before) => before + (count ?? 0));
      });
    };
    connect();
    return () => {
      source.close();
      clearTimeout(again);
      cancelAnimationFrame(frame);
      setConnection('connecting');
    };
  }, [address, isPaused]);

  return { events, skipped, restarts, state: isPaused ? 'paused' : connection };
};
