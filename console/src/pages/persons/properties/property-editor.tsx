import { Button, Group, NumberInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { readTyped, typedTextOf, valueTypes, type TypedText } from './typed-value';
import { Select } from '../../../ui/select';

interface PropertyEditorProps {
  readonly value: unknown;
  readonly isSaving: boolean;
  readonly onSave: (value: unknown) => void;
  readonly onCancel: () => void;
}

/** Writes a value with its type, because "5" and 5 are different values to a filter. */
export function PropertyEditor({ value, isSaving, onSave, onCancel }: PropertyEditorProps) {
  const [draft, setDraft] = useState<TypedText>(() => typedTextOf(value));
  const [error, setError] = useState<string | null>(null);
  const change = (part: Partial<TypedText>): void => {
    setDraft((before) => ({ ...before, ...part }));
    setError(null);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const read = readTyped(draft);
        if ('error' in read) setError(read.error);
        else onSave(read.value);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <Stack gap="xs">
        <Group gap="xs" align="flex-start">
          <Select
            size="xs"
            w={96}
            aria-label="Type of the value"
            data={valueTypes.map((type) => ({ value: type, label: type }))}
            value={draft.type}
            allowDeselect={false}
            onChange={(type) => type && change({ type, ...(type === 'yes/no' ? { text: 'true' } : {}) })}
          />
          <ValueField draft={draft} error={error} onChange={(text) => change({ text })} />
        </Group>
        <Group gap="xs">
          <Button size="xs" type="submit" loading={isSaving}>
            Save
          </Button>
          <Button size="xs" variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ValueField({
  draft: { type, text },
  error,
  onChange,
}: {
  readonly draft: TypedText;
  readonly error: string | null;
  readonly onChange: (text: string) => void;
}) {
  const shared = { size: 'xs', flex: '1 1 200px', 'aria-label': 'Value', error, 'data-autofocus': true } as const;
  if (type === 'null') return null;
  if (type === 'yes/no')
    return (
      <Select
        {...shared}
        data={[
          { value: 'true', label: 'yes' },
          { value: 'false', label: 'no' },
        ]}
        value={text === 'true' ? 'true' : 'false'}
        allowDeselect={false}
        onChange={(chosen) => onChange(chosen ?? 'false')}
      />
    );
  if (type === 'number')
    return (
      <NumberInput {...shared} value={text} onChange={(number) => onChange(String(number))} thousandSeparator="" />
    );
  if (type === 'JSON')
    return (
      <Textarea
        {...shared}
        autosize
        minRows={3}
        maxRows={14}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  return <TextInput {...shared} value={text} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
}
