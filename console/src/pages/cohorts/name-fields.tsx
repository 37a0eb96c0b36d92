import { TextInput, Textarea } from '@mantine/core';

export interface Naming {
  readonly name: string;
  readonly description: string;
}

interface NameFieldsProps {
  readonly value: Naming;
  readonly onChange: (value: Naming) => void;
}

export function NameFields({ value, onChange }: NameFieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        required
        maxLength={400}
        maw={560}
        data-autofocus
        value={value.name}
        onChange={({ currentTarget }) => onChange({ ...value, name: currentTarget.value })}
      />
      <Textarea
        label="Description"
        maxLength={1000}
        autosize
        minRows={1}
        maxRows={6}
        maw={560}
        value={value.description}
        onChange={({ currentTarget }) => onChange({ ...value, description: currentTarget.value })}
      />
    </>
  );
}
