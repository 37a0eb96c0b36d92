import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The fields of the address bar after `?`. Each page reads the fields it knows and ignores the rest. */
export type Question = Record<string, unknown>;

export const readQuestion = (search: Record<string, unknown>): Question => search;

/**
 * The page's state in the address bar, so that a link shows the same and the browser's back button works. A field that is set
 * to undefined leaves the address. `replace` makes no new entry in the history: for typing and the like.
 */
export const useQuestion = (): readonly [Question, (change: Question, options?: { replace?: boolean }) => void] => {
  const question: Question = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (fields: Question, options?: { replace?: boolean }): void => {
      void navigate({
        to: '.',
        search: (before: Question) => ({ ...before, ...fields }),
        replace: options?.replace ?? false,
      });
    },
    [navigate],
  );
  return [question, change];
};

export const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  // The router reads `?search=5` as a number.
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
};
