import { useEffect, useEffectEvent, useState } from 'react';
import { get } from '../../../api/client';
import { noticeSignOut } from '../../../api/query-client';
import { type Connection, type StreamState } from '../../../ui/stream-control';
import { type CohortProps } from '../cohort';
import { changesRoute, type ChangesRoute } from './changes-route';

/** The service answers earlier when there is a change. */
const waitSeconds = 30;

/** Changes that come one after another are read together. */
const pauseMs = 1000;
const afterFailureMs = 3000;

/**
 * Calls `onChange` when it starts to follow, and then whenever the cohort has changed: no change is missed between its reading
 * and its waiting.
 */
export const useFollowedChanges = (
  { projectId, cohort }: CohortProps,
  isPaused: boolean,
  onChange: () => Promise<unknown>,
): StreamState => {
  const { id } = cohort;
  const route = changesRoute(cohort);
  const [connection, setConnection] = useState<Connection>('connecting');
  const changed = useEffectEvent(onChange);

  useEffect(() => {
    if (isPaused) return;
    const stopped = new AbortController();
    const { signal } = stopped;
    const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    const read = (query: { readonly after: string; readonly wait?: number }) =>
      get<ChangesRoute>(route, { path: { project_id: projectId, id }, query: { limit: 1, ...query } }, signal);
    const follow = async (): Promise<void> => {
      let { cursor } = await read({ after: 'latest' });
      await changed();
      setConnection('open');
      while (!signal.aborted) {
        const { results } = await read({ wait: waitSeconds, after: cursor });
        if (results.length === 0) continue;
        ({ cursor } = await read({ after: 'latest' }));
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
  }, [projectId, id, route, isPaused]);

  return isPaused ? 'paused' : connection;
};
