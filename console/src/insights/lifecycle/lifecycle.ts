import { type Schemas } from '../../api/types';
import { axisLabels, dayText } from '../../charts/days';
import { type Cell, type NumbersTable, type Point } from '../kind';

export type LifecycleInsight = Schemas['LifecycleDto'];

/** The states of a person at a point, from the top of the picture down. */
export const states = [
  { name: 'new', label: 'New', color: '#3b8ee0' },
  { name: 'returning', label: 'Returning', color: '#1f9d8f' },
  { name: 'resurrecting', label: 'Resurrecting', color: '#8a63d2' },
  { name: 'dormant', label: 'Dormant', color: '#e8833a' },
] as const;

/** Finds the persons in a state at a point. The number of those who are dormant is drawn below zero. */
export const pointsOf =
  ({ days, interval }: LifecycleInsight) =>
  (stateAt: number, dayAt: number): Point | undefined => {
    const [state, day] = [states[stateAt], days[dayAt]];
    if (!state || day === undefined) return undefined;
    return {
      title: `${state.label} · ${dayText(day, interval)}`,
      params: { lifecycle_type: state.name, target_date: day },
    };
  };

export const lifecycleTable = (insight: LifecycleInsight): NumbersTable => {
  const pointAt = pointsOf(insight);
  return {
    caption: 'Lifecycle',
    columns: ['State', ...axisLabels(insight.days, insight)],
    csvColumns: ['State', ...insight.days],
    rows: states.map(({ name, label, color }, stateAt): Cell[] => [
      { value: label, color },
      ...insight[name].map((value, dayAt) => ({ value, point: pointAt(stateAt, dayAt) })),
    ]),
  };
};
