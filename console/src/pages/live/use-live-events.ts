import { useEffect, useRef, useState } from 'react';
import { type EventRow } from '../../api/types';

export type StreamState = 'connecting' | 'open' | 'paused';

export interface LiveEvents {
  /** The newest first, at most `mostShown`. */
  readonly events: readonly EventRow[];
  /** How many arrived and are not shown, because too many came at once. */
  readonly skipped: number;
  readonly state: StreamState;
}

const mostShown = 200;

/** Follows the stream of a project. Events that arrive between two pictures are shown together. */
export const useLiveEvents = (address: string, isPaused: boolean): LiveEvents => {
  const [events, setEvents] = useState<readonly EventRow[]>([]);
  const [skipped, setSkipped] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const waiting = useRef<EventRow[]>([]);

  // What another filter let through is gone when the filter changes.
  useEffect(
    () => () => {
      setEvents([]);
      setSkipped(0);
    },
    [address],
  );

  useEffect(() => {
    if (isPaused) return;
    // The browser connects again by itself, and sends the id of the last message that it has seen.
    const source = new EventSource(address);
    let frame = 0;
    const show = (): void => {
      frame = 0;
      const arrived = waiting.current.reverse();
      waiting.current = [];
      setEvents((before) => [...arrived, ...before].slice(0, mostShown));
    };
    source.addEventListener('open', () => setOpen(true));
    source.addEventListener('error', () => setOpen(false));
    source.addEventListener('event', ({ data }: MessageEvent<string>) => {
      waiting.current.push(JSON.parse(data) as EventRow);
      if (waiting.current.length > mostShown) waiting.current.shift();
      if (frame === 0) frame = requestAnimationFrame(show);
    });
    source.addEventListener('skipped', ({ data }: MessageEvent<string>) => {
      const { count } = JSON.parse(data) as { count: number | null };
      setSkipped((before) => before + (count ?? 0));
    });
    return () => {
      source.close();
      cancelAnimationFrame(frame);
      setOpen(false);
    };
  }, [address, isPaused]);

  return { events, skipped, state: isPaused ? 'paused' : isOpen ? 'open' : 'connecting' };
};
