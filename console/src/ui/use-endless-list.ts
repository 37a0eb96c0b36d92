import { keepPreviousData, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { getJson } from '../api/client';
import { mayPass } from '../api/query-client';
import { EndlessList, type ListPage } from '../api/endless-list';

const pageRows = 200;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A service that is busy for a moment gets the request again; every other refusal is shown. */
const loadPage = async <T>(address: string, signal: AbortSignal, attempt = 1): Promise<ListPage<T>> => {
  try {
    return await getJson<ListPage<T>>(address, signal);
  } catch (error) {
    if (attempt === 4 || !mayPass(error)) throw error;
    await pause(attempt * 1000);
    signal.throwIfAborted();
    return loadPage<T>(address, signal, attempt + 1);
  }
};

/** The address of a list with the number of rows a page has, if it names none. */
const withLimit = (address: string): string =>
  /[?&]limit=/.test(address) ? address : `${address}${address.includes('?') ? '&' : '?'}limit=${pageRows}`;

const never = (): (() => void) => () => undefined;

/**
 * The list at an address. It is not read again by itself, because rows would move under the reader's eyes: only when its key is
 * invalidated, or by `reload`.
 */
export const useEndlessList = <T>(queryKey: QueryKey, address: string) => {
  const client = useQueryClient();
  const key = [...queryKey, 'endless', address];
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      EndlessList.open<T>(withLimit(address), loadPage, signal, client.getQueryData<EndlessList<T>>(key)?.top),
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
