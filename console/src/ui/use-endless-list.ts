import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { type List } from '../api/client';
import { EndlessList, type LoadPage } from '../api/endless-list';
import { mayPass, queryClient } from '../api/query-client';

const pageRows = 200;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A service that is busy for a moment gets the request again; every other refusal is shown. */
const patient = <T>(load: LoadPage<T>, attempt = 1): LoadPage<T> => {
  return async (address, signal) => {
    try {
      return await load(address, signal);
    } catch (error) {
      if (attempt === 4 || !mayPass(error)) throw error;
      await pause(attempt * 1000);
      signal.throwIfAborted();
      return patient(load, attempt + 1)(address, signal);
    }
  };
};

/** The address of a list with the number of rows a page has, if it names none. */
const withLimit = (address: string): string =>
  /[?&]limit=/.test(address) ? address : `${address}${address.includes('?') ? '&' : '?'}limit=${pageRows}`;

const never = (): (() => void) => () => undefined;

/**
 * It is not read again by itself, because rows would move under the reader's eyes: only when its key is
 * invalidated, or by `reload`.
 */
export const useEndlessList = <T>({ key, address, load }: List<T>) => {
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => {
      const before = queryClient.getQueryData<EndlessList<T>>(key);
      return EndlessList.open(withLimit(address), patient(load), signal, before?.top);
    },
    staleTime: Infinity,
    gcTime: 120_000,
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });
  const list = query.data;
  const version = useSyncExternalStore(list?.subscribe ?? never, () => list?.version ?? 0);
  useEffect(() => () => list?.rest(), [list]);
  return { list, version, error: query.error, isFetching: query.isFetching, reload: () => void query.refetch() };
};
