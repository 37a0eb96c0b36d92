import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { EmptyState } from '../../ui/empty-state';
import { formatNumber, formatShare } from '../../ui/format';
import { stepNames } from '../funnel/funnel';
import { useActors } from '../actors';
import { type AnswerProps } from '../kind';
import { totalPoint, typeOf, type CorrelationInsight } from './correlation';

/** How many persons are compared; the rows are in the table below. */
export function CorrelationAnswer({ insight, params, openPersons }: AnswerProps<CorrelationInsight>) {
  const [one, many] = useActors().noun;
  const { success_total: success, failure_total: failure } = insight;
  if (stepNames(params).length < 2) {
    return (
      <EmptyState kind="chart" title="A funnel needs two steps">
        Add the events that happen one after the other. The {many} that take all of them are compared with the others.
      </EmptyState>
    );
  }
  if (success + failure === 0) {
    return (
      <EmptyState title={`No ${one} in this range`}>
        Try other steps, a longer range, more time between the steps or fewer filters.
      </EmptyState>
    );
  }
  return (
    <Stack gap="xs">
      <Progress.Root size={14} aria-label="Converted">
        <Progress.Section
          value={(success / (success + failure)) * 100}
          aria-label={`${formatShare(success / (success + failure))} converted`}
        />
      </Progress.Root>
      <Group justify="space-between" gap="xs">
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => openPersons(totalPoint(true))}
          disabled={success === 0}
        >
          {formatNumber(success)} converted ({formatShare(success / (success + failure))})
        </Button>
        <Button
          variant="subtle"
          size="compact-sm"
          color="gray"
          onClick={() => openPersons(totalPoint(false))}
          disabled={failure === 0}
        >
          {formatNumber(failure)} did not convert
        </Button>
      </Group>
      <Explanation insight={insight} params={params} />
    </Stack>
  );
}

function Explanation({ insight, params }: Pick<AnswerProps<CorrelationInsight>, 'insight' | 'params'>) {
  const [one, many] = useActors().noun;
  if (insight.skewed) {
    return (
      <EmptyState kind="chart" title="Nothing to compare">
        {insight.success_total === 0 ? `No ${one} took all steps.` : `Every ${one} took all steps.`}
      </EmptyState>
    );
  }
  if (insight.correlations.length === 0) {
    const needsEvents =
      typeOf(params) === 'event_with_properties' && params.funnel_correlation_event_names === undefined;
    return (
      <EmptyState kind="chart" title={needsEvents ? 'Choose events' : `No difference shared by enough ${many}`}>
        {needsEvents
          ? 'The properties of the chosen events are compared.'
          : 'Compare something else, or choose a longer range.'}
      </EmptyState>
    );
  }
  return (
    <Text size="xs" c="dimmed">
      An odds ratio of 2× means that the odds of converting are twice as high with the row as without it. The
      significance is that of each row alone (chi-squared test); among many rows, some are small by chance.
    </Text>
  );
}
