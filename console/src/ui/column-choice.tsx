import { ActionIcon, Button, Checkbox, Group, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { useProjectId } from '../address/project-context';
import { useIsPhone } from './use-is-phone';

export interface ChoosableColumn {
  readonly id: string;
  readonly label: string;
  /** Shown as long as the user chooses nothing else. */
  readonly isDefault?: boolean;
  /** Shown on a phone too, as long as the user chooses nothing else. */
  readonly isForPhone?: boolean;
  /** Always shown, at the left. */
  readonly isFixed?: boolean;
}

interface Choice {
  /** The ids of the chosen columns in their order, or null as long as nothing was chosen. */
  readonly shown: readonly string[] | null;
  readonly widths: Record<string, number>;
}

const nothing: Choice = { shown: null, widths: {} };

const readChoice = (text: string | undefined): Choice => {
  try {
    const { shown, widths } = JSON.parse(text ?? '') as Partial<Choice>;
    return {
      shown: Array.isArray(shown) ? shown.filter((id) => typeof id === 'string') : null,
      widths: typeof widths === 'object' && widths !== null ? widths : {},
    };
  } catch {
    return nothing;
  }
};

/** Remembers in this browser, per project and table, which columns the user sees, in which order and how wide. */
export const useColumnChoice = <C extends ChoosableColumn>(table: string, columns: readonly C[]) => {
  const projectId = useProjectId();
  const isPhone = useIsPhone();
  const [choice, setChoice] = useLocalStorage<Choice>({
    key: `kohort.columns.${projectId}.${table}`,
    defaultValue: nothing,
    deserialize: readChoice,
    getInitialValueInEffect: false,
  });
  const shown = useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]));
    const fixed = columns.filter(({ isFixed }) => isFixed);
    const chosen =
      choice.shown === null
        ? columns.filter(({ isDefault, isForPhone, isFixed }) => (isPhone ? isForPhone : isDefault) && !isFixed)
        : choice.shown.flatMap((id) => byId.get(id) ?? []).filter(({ isFixed }) => !isFixed);
    return [...fixed, ...chosen];
  }, [columns, choice.shown, isPhone]);
  const setShown = useCallback(
    (ids: readonly string[] | null) => setChoice((before) => ({ ...before, shown: ids })),
    [setChoice],
  );
  const setWidths = useCallback(
    (widths: Record<string, number>) => setChoice((before) => ({ ...before, widths })),
    [setChoice],
  );
  return { shown, widths: choice.widths, isPhone, setShown, setWidths };
};

interface ColumnChooserProps {
  readonly columns: readonly ChoosableColumn[];
  readonly shown: readonly ChoosableColumn[];
  readonly onChange: (ids: readonly string[] | null) => void;
}

/** Chooses and orders the columns. */
export function ColumnChooser({ columns, shown, onChange }: ColumnChooserProps) {
  const [search, setSearch] = useState('');
  const chosen = shown.filter(({ isFixed }) => !isFixed);
  const ids = chosen.map(({ id }) => id);
  const rest = columns.filter(({ id, isFixed }) => !isFixed && !ids.includes(id));
  const matches = ({ label }: ChoosableColumn): boolean => label.toLowerCase().includes(search.toLowerCase());
  const move = (index: number, by: number): void => {
    const order = [...ids];
    const [id] = order.splice(index, 1);
    if (id !== undefined) order.splice(index + by, 0, id);
    onChange(order);
  };
  return (
    <Popover position="bottom-end" width={300} shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns3 size={14} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs">
          <TextInput
            size="xs"
            aria-label="Search columns"
            placeholder="Search columns"
            value={search}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          />
          <ScrollArea.Autosize mah={320} type="auto">
            <Stack gap={6} pr="xs">
              {chosen.map((column, index) =>
                !matches(column) ? null : (
                  <Group key={column.id} wrap="nowrap" gap={2} justify="space-between">
                    <ColumnCheckbox
                      column={column}
                      isChosen
                      onToggle={() => onChange(ids.filter((id) => id !== column.id))}
                    />
                    <Group gap={0} wrap="nowrap">
                      <ActionIcon
                        size="sm"
                        variant="subtle"
                        color="gray"
                        disabled={index === 0}
                        aria-label={`Move ${column.label} to the left`}
                        onClick={() => move(index, -1)}
                      >
                        <IconArrowUp size={14} />
                      </ActionIcon>
                      <ActionIcon
                        size="sm"
                        variant="subtle"
                        color="gray"
                        disabled={index === chosen.length - 1}
                        aria-label={`Move ${column.label} to the right`}
                        onClick={() => move(index, 1)}
                      >
                        <IconArrowDown size={14} />
                      </ActionIcon>
                    </Group>
                  </Group>
                ),
              )}
              {rest
                .filter(matches)
                .slice(0, 200)
                .map((column) => (
                  <ColumnCheckbox
                    key={column.id}
                    column={column}
                    isChosen={false}
                    onToggle={() => onChange([...ids, column.id])}
                  />
                ))}
              {rest.filter(matches).length > 200 && (
                <Text size="xs" c="dimmed">
                  More columns match; type more of the name.
                </Text>
              )}
            </Stack>
          </ScrollArea.Autosize>
          <Button size="xs" variant="subtle" onClick={() => onChange(null)}>
            Reset
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function ColumnCheckbox({
  column,
  isChosen,
  onToggle,
}: {
  readonly column: ChoosableColumn;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}) {
  return (
    <Checkbox
      size="xs"
      checked={isChosen}
      onChange={onToggle}
      label={column.label}
      styles={{ body: { minWidth: 0 }, label: { overflowWrap: 'anywhere' } }}
    />
  );
}
