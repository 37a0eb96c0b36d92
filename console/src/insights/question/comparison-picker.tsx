import { textOf } from '../../address/search';
import { type EditorProps } from '../kind';
import { Choice } from '../../ui/choice';

const choices = [
  { value: 'none', label: 'Compare to …' },
  { value: 'previous', label: 'Previous period' },
  { value: '-1w', label: 'A week earlier' },
  { value: '-1m', label: 'A month earlier' },
  { value: '-1y', label: 'A year earlier' },
];

/** The range with which the question compares its own. */
export function ComparisonPicker({ question, change }: EditorProps) {
  const distance = textOf(question.compare_to);
  const value = question.compare === true ? (distance ?? 'previous') : 'none';
  const isOwn = choices.some((choice) => choice.value === value);
  return (
    <Choice
      aria-label="Comparison"
      w={165}
      data={isOwn ? choices : [...choices, { value, label: `${value} earlier` }]}
      value={value}
      onChange={(choice) =>
        change({
          compare: choice === 'none' ? undefined : true,
          compare_to: choice === 'none' || choice === 'previous' ? undefined : choice,
        })
      }
    />
  );
}
