import { ActionIcon, Button, Group, Paper, SegmentedControl, Stack } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type AccountType } from '../api/types';
import { useAccountTypes } from './account-types';
import { isGroup, type FilterGroup, type FilterLeaf } from './filter';
import { MembershipTime } from './membership-time';
import { operators, operatorOf } from './operators';
import { accountLines, ownerOfValue, ownerValue, type PropertyOwner } from './properties';
import { CohortPicker, PropertyPicker, ValueInput } from './pickers';
import { Select } from '../ui/select';

export interface FilterBuilderProps {
  readonly value: FilterGroup;
  readonly onChange: (value: FilterGroup) => void;
  /** The kinds of conditions that make sense here. */
  readonly kinds?: readonly FilterKind[] | undefined;
  /** True where all conditions must hold, and groups of them are refused. */
  readonly isList?: boolean;
}

/** `group` is one kind for each type of accounts, `group:0` only that of the type with this index. */
export type FilterKind = FilterLeaf['type'] | `group:${number}`;

const kindLabels = { person: 'Person', event: 'Event', cohort: 'Cohort' } as const;

/** Lines for the kinds of conditions: one for each type of accounts. */
const kindLines = (kinds: FilterBuilderProps['kinds'] = [], types: readonly AccountType[], current: string) =>
  kinds.flatMap((kind) => {
    if (!kind.startsWith('group')) return [{ value: kind, label: kindLabels[kind as keyof typeof kindLabels] }];
    return accountLines(types, current).filter(({ value }) => kind === 'group' || kind === value);
  });

const newLeaf = (kind: string | null): FilterLeaf =>
  kind === 'cohort' ? { type: kind, key: 'id' } : { ...ownerOfValue(kind), key: '', operator: 'exact' };

const changeAt = <T,>(list: readonly T[], index: number, item: T | null): T[] =>
  list.flatMap((old, at) => (at !== index ? [old] : item === null ? [] : [item]));

/** The whole filter language: conditions on properties and cohorts, in groups of AND and OR within each other. */
export function FilterBuilder({ value, onChange, kinds = ['person', 'cohort'], isList = false }: FilterBuilderProps) {
  return <GroupEditor group={value} onChange={onChange} kinds={kinds} isList={isList} depth={0} />;
}

interface GroupEditorProps {
  readonly group: FilterGroup;
  readonly onChange: (group: FilterGroup) => void;
  readonly onRemove?: () => void;
  readonly kinds: readonly FilterKind[];
  readonly isList?: boolean;
  readonly depth: number;
}

const maxDepth = 4;

function GroupEditor({ group, onChange, onRemove, kinds, isList = false, depth }: GroupEditorProps) {
  const change = (index: number, node: FilterLeaf | FilterGroup | null): void =>
    onChange({ ...group, values: changeAt(group.values, index, node) });
  const add = (node: FilterLeaf | FilterGroup): void => onChange({ ...group, values: [...group.values, node] });
  const firstLine = kindLines(kinds, useAccountTypes(), '')[0]?.value ?? 'person';
  const content = (
    <Stack gap="xs">
      {!isList && (group.values.length > 1 || depth > 0) && (
        <Group gap="xs" justify="space-between">
          <Group gap="xs">
            <SegmentedControl
              size="xs"
              aria-label="How the filters are joined"
              data={[
                { value: 'AND', label: 'All of these' },
                { value: 'OR', label: 'Any of these' },
              ]}
              value={group.type}
              onChange={(type) => onChange({ ...group, type: type === 'OR' ? 'OR' : 'AND' })}
            />
          </Group>
          {onRemove && (
            <ActionIcon variant="subtle" color="gray" onClick={onRemove} aria-label="Remove this group">
              <IconX size={16} />
            </ActionIcon>
          )}
        </Group>
      )}
      {group.values.map((node, index) =>
        isGroup(node) ? (
          <GroupEditor
            key={index}
            group={node}
            kinds={kinds}
            depth={depth + 1}
            onChange={(changed) => change(index, changed)}
            onRemove={() => change(index, null)}
          />
        ) : (
          <LeafEditor
            key={index}
            leaf={node}
            kinds={kinds}
            onChange={(changed) => change(index, changed)}
            onRemove={() => change(index, null)}
          />
        ),
      )}
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => add(newLeaf(firstLine))}
        >
          Add a filter
        </Button>
        {!isList && depth < maxDepth && group.values.length > 0 && (
          <Button
            size="xs"
            variant="subtle"
            onClick={() =>
              add({
                type: group.type === 'AND' ? 'OR' : 'AND',
                values: [newLeaf(firstLine)],
              })
            }
          >
            Add a group
          </Button>
        )}
      </Group>
    </Stack>
  );
  if (depth === 0) return content;
  return (
    <Paper withBorder p="xs">
      {content}
    </Paper>
  );
}

interface LeafEditorProps {
  readonly leaf: FilterLeaf;
  readonly onChange: (leaf: FilterLeaf) => void;
  readonly onRemove: () => void;
  readonly kinds: readonly FilterKind[];
}

function LeafEditor({ leaf, onChange, onRemove, kinds }: LeafEditorProps) {
  const kind = ownerValue(leaf);
  const lines = kindLines(kinds, useAccountTypes(), kind);
  return (
    <Group gap="xs" wrap="wrap" align="flex-start">
      {lines.length > 1 && (
        <Select
          size="sm"
          w={140}
          aria-label="Kind of filter"
          data={lines}
          value={kind}
          allowDeselect={false}
          onChange={(chosen) => onChange(newLeaf(chosen))}
        />
      )}
      {leaf.type === 'cohort' ? (
        <>
          <Select
            size="sm"
            w={110}
            aria-label="In or not in"
            data={[
              { value: 'in', label: 'in' },
              { value: 'not', label: 'not in' },
            ]}
            value={leaf.negation === true ? 'not' : 'in'}
            allowDeselect={false}
            onChange={(choice) => onChange({ ...leaf, negation: choice === 'not' })}
          />
          <CohortPicker
            label="Cohort"
            value={leaf.value === undefined ? null : String(leaf.value)}
            onChange={(id) => onChange({ ...leaf, value: id === null ? undefined : Number(id) })}
          />
          <MembershipTime label="When the person is in the cohort" value={leaf} onChange={onChange} />
        </>
      ) : (
        <>
          <PropertyPicker
            label="Property"
            owner={leaf as PropertyOwner}
            value={leaf.key === '' ? null : leaf.key}
            onChange={(key) => onChange({ ...leaf, key: key ?? '', value: undefined })}
          />
          <Select
            size="sm"
            w={170}
            aria-label="Operator"
            data={operators.map(({ name, label }) => ({ value: name, label }))}
            value={operatorOf(leaf.operator).name}
            allowDeselect={false}
            onChange={(operator) => onChange({ ...leaf, operator: operator ?? 'exact' })}
          />
          <ValueInput
            owner={leaf as PropertyOwner}
            propertyKey={leaf.key}
            operator={leaf.operator}
            value={leaf.value}
            onChange={(value) => onChange({ ...leaf, value })}
          />
        </>
      )}
      <ActionIcon variant="subtle" color="gray" size="lg" onClick={onRemove} aria-label="Remove this filter">
        <IconX size={16} />
      </ActionIcon>
    </Group>
  );
}
