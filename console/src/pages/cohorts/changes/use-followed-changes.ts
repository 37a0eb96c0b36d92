import { useEffect, useEffectEvent, useState } from 'react';
import { getJson } from '../../../api/client';
import { noticeSignOut } from '../../../api/query-client';
import { type components } from '../../../api/schema';
import { type Connection, type StreamState } from '../../../ui/stream-control';

type Changes = components['schemas']['CohortChangesDto'];

/** The service answers earlier when there is a change. */
const waitSeconds = 30;

/** Changes that come one after another are read together. */
const pauseMs = 1000;
const afterFailureMs = 3000;

/** Calls `onChange` when it begins to follow, and then whenever the cohort has changed: nothing lies between what it has read and what it waits for. */
export const useFollowedChanges = (
  address: string,
  isPaused: boolean,
  onChange: () => Promise<unknown>,
): StreamState => {
  const [connection, setConnection] = useState<Connection>('connecting');
  const changed = useEffectEvent(onChange);

  useEffect(() => {
    if (isPaused) return;
    const stopped = new AbortController();
    const { signal } = stopped;
    const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    const read = (parameters: string): Promise<Changes> => getJson(`${address}?limit=1&${parameters}`, signal);
    const follow = async (): Promise<void> => {
      let { cursor } = await read('after=latest');
      await changed();
      setConnection('open');
      while (!signal.aborted) {
        const { results } = await read(`wait=${waitSeconds}&after=${encodeURIComponent(cursor)}`);
        if (results.length === 0) continue;
        ({ cursor } = await read('after=latest'));
        await changed();
        await pause(pauseMs);
      }
    };
    const keepFollowing = async (): Promise<void> => {
      while (!signal.aborted) {
        try {
          await follow();
        } catch (error) {
          if (signal.aborted) return;
          noticeSignOut(error);
          setConnection('lost');
          await pause(afterFailureMs);
        }
      }
    };
    void keepFollowing();
    return () => {
      stopped.abort();
      setConnection('connecting');
    };
  }, [address, isPaused]);

  return isPaused ? 'paused' : connection;
};
