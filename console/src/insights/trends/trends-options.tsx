import { Choice } from '../../ui/choice';
import { type EditorProps } from '../kind';
import { ComparisonPicker } from '../question/comparison-picker';
import { displayOf, displays } from './trends';

const smoothings = (current: number) =>
  [...new Set([1, 3, 7, 14, 28, current])]
    .sort((a, b) => a - b)
    .map((count) => ({ value: String(count), label: count === 1 ? 'No smoothing' : `Average of ${count} points` }));

export function TrendsOptions({ question, change }: EditorProps) {
  const mean = typeof question.smoothing_intervals === 'number' ? question.smoothing_intervals : 1;
  return (
    <>
      <ComparisonPicker question={question} change={change} />
      <Choice
        aria-label="Picture"
        w={150}
        data={[...displays]}
        value={displayOf(question)}
        onChange={(display) => change({ display: display === 'ActionsLineGraph' ? undefined : display })}
      />
      <Choice
        aria-label="Smoothing: each number is the average of this many points up to it"
        w={165}
        data={smoothings(mean)}
        value={String(mean)}
        onChange={(count) => change({ smoothing_intervals: count === '1' ? undefined : Number(count) })}
      />
    </>
  );
}
