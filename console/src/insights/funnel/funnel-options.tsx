import { Group, SegmentedControl, Text } from '@mantine/core';
import { textOf } from '../../address/search';
import { type EditorProps } from '../kind';
import { betweenOf, stepNames, viewOf, views } from './funnel';
import { Choice } from '../../ui/choice';

const intervals = ['minute', 'hour', 'day', 'week', 'month'].map((value) => ({ value, label: `by ${value}` }));

/** The view, and what only some views have. */
export function FunnelOptions({ question, change }: EditorProps) {
  const view = viewOf(question);
  const names = stepNames(question);
  const last = names.length - 1;
  const { from, to } = betweenOf(question, names.length);
  const steps = names.map((name, at) => ({ value: String(at), label: `${at + 1}. ${name}` }));
  return (
    <>
      {view === 'trends' && (
        <Choice
          aria-label="Length of one point"
          w={120}
          data={intervals}
          value={textOf(question.interval) ?? 'day'}
          onChange={(interval) => change({ interval: interval === 'day' ? undefined : interval })}
        />
      )}
      <SegmentedControl
        aria-label="View"
        size="sm"
        data={[...views]}
        value={view}
        onChange={(value) => change({ funnel_viz_type: value === 'steps' ? undefined : value })}
      />
      {names.length > 2 && (
        <Group gap="xs">
          <Text size="sm">Conversion from</Text>
          <Choice
            aria-label="Conversion from step"
            w={185}
            data={steps.slice(0, to)}
            value={String(from)}
            onChange={(value) => change({ funnel_from_step: value === '0' ? undefined : Number(value) })}
          />
          <Text size="sm">to</Text>
          <Choice
            aria-label="Conversion to step"
            w={185}
            data={steps.slice(from + 1)}
            value={String(to)}
            onChange={(value) => change({ funnel_to_step: value === String(last) ? undefined : Number(value) })}
          />
        </Group>
      )}
    </>
  );
}
