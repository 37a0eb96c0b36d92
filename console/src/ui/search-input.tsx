import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { textOf, useQuestion } from '../address/search';

/** Searches a list. The text is written into the address bar a moment after the last key. */
export function SearchInput(props: Pick<TextInputProps, 'aria-label' | 'placeholder'>) {
  const [question, ask] = useQuestion();
  const value = textOf(question['search']) ?? '';
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [written, setWritten] = useState(value);
  if (known !== value) {
    setKnown(value);
    // A text that this field wrote itself may be older than what has been typed since.
    if (value !== written) setTyped(value);
  }
  const write = useDebouncedCallback((text: string) => {
    setWritten(text);
    ask({ search: text || undefined }, { replace: true });
  }, 250);
  return (
    <TextInput
      {...props}
      flex="1 1 220px"
      maw={420}
      type="search"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        write(currentTarget.value.trim());
      }}
    />
  );
}
