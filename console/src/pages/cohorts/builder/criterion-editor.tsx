import { ActionIcon, Box, Button, Code, Group, Paper, Stack, Text } from '@mantine/core';
import { IconCopy, IconFilterPlus, IconX } from '@tabler/icons-react';
import { FilterBuilder } from '../../../filters/filter-builder';
import { readFilter, type FilterLeaf } from '../../../filters/filter';
import { type AccountType } from '../../../api/types';
import { useActors } from '../../../insights/actors';
import { nounOfIndex, oneOf } from '../../../filters/account-words';
import { accountOf, isEditableFilter, kindOfCriterion, kinds, ofAccounts, withKind, type Kind } from './criteria';
import { type Criterion, type CriterionNode } from './definition';
import { EventFields } from './event-fields';
import { CohortFields, PropertyFields } from './property-fields';
import { Select } from '../../../ui/select';

export interface Refusal {
  readonly id: number;
  readonly field: string;
  readonly detail: string;
}

interface CriterionEditorProps {
  readonly node: CriterionNode;
  readonly ownId: number | null;
  readonly refusal: Refusal | null;
  readonly onChange: (criterion: Criterion) => void;
  readonly onCopy: () => void;
  readonly onRemove: () => void;
}

const positive: Readonly<Record<'property' | 'cohort' | 'event', readonly [string, string]>> = {
  property: ['have', 'do not have'],
  cohort: ['are', 'are not'],
  event: ['have', 'have not'],
};

const isOutOperator = (operator: unknown): boolean => operator === 'not_in' || operator === 'is_not';

/** True if the sentence says "not". Of cohorts the operator may say so too. */
const isNegative = (criterion: Criterion, kind: Kind): boolean =>
  (criterion['negation'] === true) !== (kind === 'cohort' && isOutOperator(criterion['operator']));

const negated = (criterion: Criterion, kind: Kind, isNot: boolean): Criterion => ({
  ...criterion,
  ...(kind === 'cohort' ? { operator: 'in' } : {}),
  negation: isNot ? true : undefined,
});

/** One text for whether the sentence says "not", and for the type of accounts that it is about. */
const beginning = (isNot: boolean, index: number | undefined): string => `${isNot ? 'no' : 'yes'} ${index ?? ''}`;

const readBeginning = (text: string | null): { readonly isNot: boolean; readonly index: number | undefined } => {
  const [sign, index] = (text ?? '').split(' ');
  return { isNot: sign === 'no', index: index ? Number(index) : undefined };
};

/** How a criterion may begin: about the person, and about an account of each type. No cohort has both as members. */
const beginningsOf = (kind: Kind, types: readonly AccountType[], current: number | undefined) => {
  const [has, hasNot] = positive[kind === 'property' || kind === 'cohort' ? kind : 'event'];
  const known = kind === 'cohort' ? [] : types.map(({ group_type_index: index }) => index);
  const indexes = current === undefined || known.includes(current) ? known : [...known, current];
  return [
    { value: beginning(false, undefined), label: has },
    { value: beginning(true, undefined), label: hasNot },
    ...indexes.flatMap((index) => {
      const noun = nounOfIndex(types, index);
      return [
        { value: beginning(false, index), label: `belong to ${oneOf(noun)} that has` },
        { value: beginning(true, index), label: `belong to no ${noun[0]} that has` },
      ];
    }),
  ];
};

/** One criterion as a sentence with controls in it. */
export function CriterionEditor({ node, ownId, refusal, onChange, onCopy, onRemove }: CriterionEditorProps) {
  const { criterion } = node;
  const kind = kindOfCriterion(criterion);
  const isAboutEvents = kind !== 'property' && kind !== 'cohort';
  const { groupType: members, types } = useActors();
  // Who is a member of a cohort of accounts is not asked to which account it belongs.
  const account = members === null ? accountOf(criterion) : undefined;
  const beginnings = beginningsOf(kind, members === null ? types : [], account);
  const field = refusal?.field.split('.')[0] ?? null;
  const fields = {
    criterion,
    refused: field,
    onChange: (changed: Criterion) => onChange({ ...criterion, ...changed }),
  };
  return (
    <Paper
      withBorder
      p="xs"
      style={refusal ? { borderColor: 'var(--mantine-color-error)' } : undefined}
      role="group"
      aria-label="Criterion"
    >
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Stack gap="xs" flex={1} miw={0}>
          <Group gap={6}>
            <Select
              size="sm"
              w={account === undefined ? 140 : 290}
              aria-label="Holds or not"
              allowDeselect={false}
              comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
              data={beginnings}
              value={beginning(isNegative(criterion, kind), account)}
              onChange={(chosen) => {
                const { isNot, index } = readBeginning(chosen);
                const about = index === account ? criterion : ofAccounts(criterion, index);
                onChange(negated(about, kind, isNot));
              }}
            />
            <Select
              size="sm"
              w={230}
              maxDropdownHeight={320}
              aria-label="Kind of criterion"
              searchable
              allowDeselect={false}
              data={[
                { group: 'What they did', items: kinds.slice(0, 7) },
                { group: 'What they are', items: kinds.slice(7) },
              ]}
              value={kind}
              onChange={(chosen) => {
                if (chosen !== null && chosen !== kind) onChange(withKind(criterion, chosen, members ?? undefined));
              }}
            />
            {kind === 'property' && <PropertyFields {...fields} />}
            {kind === 'cohort' && <CohortFields {...fields} ownId={ownId} />}
            {isAboutEvents && <EventFields {...fields} />}
          </Group>
          {isAboutEvents && (
            <EventFilters
              label="Filter the event"
              filters={criterion['event_filters']}
              onChange={(event_filters) => fields.onChange({ event_filters })}
            />
          )}
          {kind === 'performed_event_sequence' && (
            <EventFilters
              label="Filter the event that follows"
              filters={criterion['seq_event_filters']}
              onChange={(seq_event_filters) => fields.onChange({ seq_event_filters })}
            />
          )}
          {refusal && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert" style={{ overflowWrap: 'anywhere' }}>
              {refusal.detail}
            </Text>
          )}
        </Stack>
        <Group gap={2} wrap="nowrap">
          <ActionIcon variant="subtle" color="gray" aria-label="Copy this criterion" onClick={onCopy}>
            <IconCopy size={16} />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" aria-label="Remove this criterion" onClick={onRemove}>
            <IconX size={16} />
          </ActionIcon>
        </Group>
      </Group>
    </Paper>
  );
}

const eventOnly: readonly FilterLeaf['type'][] = ['event'];

interface EventFiltersProps {
  readonly label: string;
  readonly filters: unknown;
  readonly onChange: (filters: unknown) => void;
}

/** Conditions on the properties of the event. */
function EventFilters({ label, filters, onChange }: EventFiltersProps) {
  if (!isEditableFilter(filters))
    return (
      <Text size="xs" c="dimmed">
        With filters in an older form, which are kept: <Code>{JSON.stringify(filters)}</Code>
      </Text>
    );
  const group = readFilter(filters);
  if (group.values.length === 0)
    return (
      <Group>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconFilterPlus size={14} aria-hidden />}
          onClick={() => onChange({ type: 'AND', values: [{ type: 'event', key: '', operator: 'exact' }] })}
        >
          {label}
        </Button>
      </Group>
    );
  return (
    <Box
      pl="sm"
      style={{ borderLeft: '2px solid var(--mantine-color-default-border)' }}
      role="group"
      aria-label={label}
    >
      <FilterBuilder
        kinds={eventOnly}
        value={group}
        onChange={(changed) => onChange(changed.values.length === 0 ? undefined : changed)}
      />
    </Box>
  );
}
