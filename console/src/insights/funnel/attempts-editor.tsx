import { Group, NumberInput } from '@mantine/core';
import { textOf } from '../../address/search';
import { type EditorProps } from '../kind';
import { useDraft } from '../question/use-draft';
import { readExclusions } from './exclusions';
import { windowOf } from './funnel';
import { Select } from '../../ui/select';

const orders = [
  { value: 'ordered', label: 'In this order' },
  { value: 'strict', label: 'In this order, nothing in between' },
  { value: 'unordered', label: 'In any order' },
];

const units = ['second', 'minute', 'hour', 'day', 'week', 'month'];

/** In which order the steps are taken, and how long that may take. */
export function AttemptsEditor({ question, change }: EditorProps) {
  const { count, unit } = windowOf(question);
  const [typed, setTyped] = useDraft<string | number>(count, (value) => {
    if (typeof value === 'number' && value >= 1) change({ funnel_window_interval: value === 14 ? undefined : value });
  });
  const setOrder = (order: string | null): void =>
    change({
      funnel_order_type: order === 'ordered' ? undefined : (order ?? undefined),
      // An exclusion of an unordered funnel always spans all steps.
      ...(order === 'unordered' && question.exclusions !== undefined
        ? {
            exclusions: readExclusions(question).map((exclusion) => ({
              ...exclusion,
              funnel_from_step: undefined,
              funnel_to_step: undefined,
            })),
          }
        : {}),
    });
  return (
    <Group gap="xs">
      <Select
        aria-label="Order of the steps"
        w={215}
        data={orders}
        value={textOf(question.funnel_order_type) ?? 'ordered'}
        allowDeselect={false}
        onChange={setOrder}
      />
      <NumberInput
        aria-label="Longest time from the first step to the last"
        w={110}
        prefix="within "
        min={1}
        max={1_000_000}
        allowDecimal={false}
        clampBehavior="blur"
        value={typed}
        onChange={setTyped}
      />
      <Select
        aria-label="Unit of the longest time"
        w={115}
        data={units.map((value) => ({ value, label: count === 1 ? value : `${value}s` }))}
        value={unit}
        allowDeselect={false}
        onChange={(value) =>
          change({ funnel_window_interval_unit: value === 'day' ? undefined : (value ?? undefined) })
        }
      />
    </Group>
  );
}
