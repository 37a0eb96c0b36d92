import { EmptyState } from '../../ui/empty-state';
import { useActors } from '../actors';
import { type AnswerProps } from '../kind';
import { rowsOf, stepNames, type FunnelInsight } from './funnel';
import { StepsPicture } from './steps-picture';
import { TimesPicture } from './times-picture';
import { TrendsPicture } from './trends-picture';

export function FunnelAnswer(props: AnswerProps<FunnelInsight>) {
  const { insight, params } = props;
  const steps = stepNames(params).length;
  if (steps === 0) {
    return (
      <EmptyState kind="chart" title="Build a funnel">
        Add events in the order in which they happen, such as a visit, a sign-up and an order.
      </EmptyState>
    );
  }
  if ('bins' in insight) {
    return insight.bins.length === 0 ? <Nothing steps={steps} /> : <TimesPicture {...props} insight={insight} />;
  }
  if ('series' in insight) {
    const isEmpty = insight.series.every(({ reached_from }) => reached_from.every((count) => count === 0));
    return isEmpty ? <Nothing steps={steps} /> : <TrendsPicture {...props} insight={insight} />;
  }
  const rows = rowsOf(insight);
  if (rows.every((row) => (row.steps[0]?.count ?? 0) === 0)) return <Nothing steps={steps} />;
  return <StepsPicture {...props} rows={rows} />;
}

function Nothing({ steps }: { readonly steps: number }) {
  const [one] = useActors().noun;
  if (steps < 2)
    return (
      <EmptyState kind="chart" title="A funnel needs two steps">
        Add a second step.
      </EmptyState>
    );
  return (
    <EmptyState title={`No ${one} in this range`}>
      Try other steps, a longer range, more time between the steps or fewer filters.
    </EmptyState>
  );
}
