import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

/**
 * A value that is typed: shown at once, and committed when the typing rests, so that neither a request nor an entry of the
 * browser's history is made for each letter. A newer value from outside replaces the draft.
 */
export const useDraft = <T>(value: T, commit: (value: T) => void, wait = 500): readonly [T, (value: T) => void] => {
  const outside = JSON.stringify(value) ?? '';
  const [draft, setDraft] = useState<{ readonly over: string; readonly value: T } | null>(null);
  const commitLater = useDebouncedCallback(commit, { delay: wait, flushOnUnmount: true });
  const change = (next: T): void => {
    setDraft({ over: outside, value: next });
    commitLater(next);
  };
  return [draft?.over === outside ? draft.value : value, change];
};
