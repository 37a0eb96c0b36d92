import { Group, NumberInput, Text, TextInput } from '@mantine/core';
import { intervals } from './criteria';
import { type Criterion } from './definition';
import { Select } from '../../../ui/select';

export interface FieldsProps {
  readonly criterion: Criterion;
  readonly onChange: (fields: Criterion) => void;
  /** The field that the service refused. */
  readonly refused: string | null;
}

/** Words between the controls of a sentence. */
export function Words({ children }: { readonly children: string }) {
  return (
    <Text size="sm" component="span">
      {children}
    </Text>
  );
}

interface CountInputProps extends FieldsProps {
  readonly field: string;
  readonly label: string;
  readonly max?: number;
}

export function CountInput({ criterion, onChange, refused, field, label, max = 100_000_000 }: CountInputProps) {
  const value = criterion[field];
  return (
    <NumberInput
      size="sm"
      w={76}
      aria-label={label}
      min={1}
      max={max}
      allowDecimal={false}
      allowNegative={false}
      error={refused === field}
      value={typeof value === 'number' || typeof value === 'string' ? value : ''}
      onChange={(count) => onChange({ [field]: count === '' ? undefined : Number(count) })}
    />
  );
}

interface LengthProps extends FieldsProps {
  /** `time` or `seq_time`: the first part of the names of both fields. */
  readonly name: 'time' | 'seq_time';
  readonly label: string;
}

/** A length of time: 30 days. */
export function LengthInput({ name, label, ...fields }: LengthProps) {
  const { criterion, onChange, refused } = fields;
  const interval = criterion[`${name}_interval`];
  return (
    <Group gap={6} wrap="nowrap">
      <CountInput {...fields} field={`${name}_value`} label={`${label}: how many`} />
      <Select
        size="sm"
        w={104}
        aria-label={`${label}: unit`}
        allowDeselect={false}
        data={intervals.map((unit) => ({ value: unit, label: `${unit}s` }))}
        error={refused === `${name}_interval`}
        value={typeof interval === 'string' ? interval : null}
        onChange={(unit) => onChange({ [`${name}_interval`]: unit ?? undefined })}
      />
    </Group>
  );
}

type SpanKind = 'last' | 'since' | 'between';

const spanKindOf = ({ explicit_datetime: from, explicit_datetime_to: to }: Criterion): SpanKind => {
  if (from === undefined || from === null) return 'last';
  return to === undefined || to === null ? 'since' : 'between';
};

const spanOf = (kind: SpanKind, criterion: Criterion): Criterion => {
  const nothing = { explicit_datetime: undefined, explicit_datetime_to: undefined };
  if (kind === 'last') return { ...nothing, time_value: 30, time_interval: 'day' };
  return {
    time_value: undefined,
    time_interval: undefined,
    explicit_datetime: criterion['explicit_datetime'] ?? '',
    explicit_datetime_to: kind === 'between' ? (criterion['explicit_datetime_to'] ?? '') : undefined,
  };
};

/** When it happened: in the last 30 days, since a date, or between two. */
export function SpanInput(fields: FieldsProps) {
  const { criterion, onChange } = fields;
  const kind = spanKindOf(criterion);
  return (
    <Group gap={6}>
      <Select
        size="sm"
        w={120}
        aria-label="Time"
        allowDeselect={false}
        data={[
          { value: 'last', label: 'in the last' },
          { value: 'since', label: 'since' },
          { value: 'between', label: 'between' },
        ]}
        value={kind}
        onChange={(chosen) => {
          if (chosen !== null && chosen !== kind) onChange(spanOf(chosen, criterion));
        }}
      />
      {kind === 'last' && <LengthInput {...fields} name="time" label="Time" />}
      {kind !== 'last' && <MomentInput {...fields} field="explicit_datetime" label="Beginning" />}
      {kind === 'between' && (
        <>
          <Words>and</Words>
          <MomentInput {...fields} field="explicit_datetime_to" label="End" />
        </>
      )}
    </Group>
  );
}

function MomentInput({
  criterion,
  onChange,
  refused,
  field,
  label,
}: FieldsProps & { readonly field: string; readonly label: string }) {
  const value = criterion[field];
  return (
    <TextInput
      size="sm"
      w={150}
      aria-label={label}
      placeholder="2026-01-31 or -7d"
      error={refused === field}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => onChange({ [field]: currentTarget.value })}
    />
  );
}
