import { Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';

type Values = Readonly<Record<string, unknown>>;

/** The forms that a value may have, and how what is typed becomes one. */
const forms = {
  text: { label: 'Text', valueOf: (typed: string): unknown => typed },
  number: {
    label: 'Number',
    valueOf: (typed: string): unknown => (typed.trim() === '' || Number.isNaN(Number(typed)) ? typed : Number(typed)),
  },
  list: {
    label: 'List',
    valueOf: (typed: string): unknown => typed.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()])),
  },
  yes: { label: 'Yes', valueOf: (): unknown => true },
  no: { label: 'No', valueOf: (): unknown => false },
  nothing: { label: 'Nothing', valueOf: (): unknown => null },
} as const;

type Form = keyof typeof forms;

const formOf = (value: unknown): Form => {
  if (value === null) return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return 'number';
  return Array.isArray(value) ? 'list' : 'text';
};

const typedOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

interface VariablesProps {
  readonly names: readonly string[];
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly onRun: () => void;
}

/** A field for the value of each placeholder of the question. */
export function Variables({ names, values, onChange, onRun }: VariablesProps) {
  if (names.length === 0) return null;
  return (
    <Stack gap={6} role="group" aria-label="Variables">
      <Text size="xs" fw={600} c="dimmed">
        Variables
      </Text>
      <Group gap="md" align="flex-end">
        {names.map((name) => (
          <Variable
            key={name}
            name={name}
            value={values[name]}
            onChange={(value) => onChange({ ...values, [name]: value })}
            onRun={onRun}
          />
        ))}
      </Group>
    </Stack>
  );
}

interface VariableProps {
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly onRun: () => void;
}

function Variable({ name, value, onChange, onRun }: VariableProps) {
  // What is typed may not be a value yet, such as `1.` of a number.
  const [typed, setTyped] = useState(typedOf(value));
  const [form, setForm] = useState(formOf(value));
  const hasText = form === 'text' || form === 'number' || form === 'list';
  const isFaulty = form === 'number' && typeof value !== 'number' && typed !== '';
  return (
    <Group gap={4} align="flex-end" wrap="nowrap">
      <NativeSelect
        w={92}
        size="xs"
        aria-label={`Type of ${name}`}
        label={<span className="numbers">{name}</span>}
        data={Object.entries(forms).map(([key, { label }]) => ({ value: key, label }))}
        value={form}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value as Form;
          setForm(next);
          onChange(forms[next].valueOf(typed));
        }}
      />
      {hasText && (
        <TextInput
          w={170}
          size="xs"
          aria-label={name}
          placeholder={form === 'list' ? 'one, two' : undefined}
          value={typed}
          error={isFaulty}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            onChange(forms[form].valueOf(currentTarget.value));
          }}
          onKeyDown={({ key }) => {
            if (key === 'Enter') onRun();
          }}
        />
      )}
    </Group>
  );
}
