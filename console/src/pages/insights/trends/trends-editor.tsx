import { TextInput } from '@mantine/core';
import { textOf } from '../../../app/search';
import { AtEventContext } from '../../../filters/membership-time';
import { type EditorProps } from '../kind';
import { ComparisonPicker } from '../question/comparison-picker';
import { EditorPanel, EditorPart } from '../question/editor-panel';
import { EntitiesEditor } from '../question/entities-editor';
import { entityFields, readEntities } from '../question/entities';
import { useDraft } from '../question/use-draft';
import { displayOf, displays } from './trends';
import { Select } from '../../../ui/select';

export function TrendsEditor(props: EditorProps) {
  const { question, change } = props;
  const [formula, setFormula] = useDraft(textOf(question.formula) ?? '', (text) =>
    change({ formula: text.trim() === '' ? undefined : text }),
  );
  return (
    <AtEventContext value>
      <EditorPanel {...props} hasBreakdown>
        <EditorPart title="Series">
          <EntitiesEditor
            entities={readEntities(question)}
            noun="Series"
            hasMath
            onChange={(entities) => change(entityFields(entities))}
          />
        </EditorPart>
        <EditorPart title="Formula">
          <TextInput
            aria-label="Formula"
            maw={260}
            placeholder="For example A / B * 100"
            maxLength={400}
            value={formula}
            onChange={({ currentTarget }) => setFormula(currentTarget.value)}
          />
        </EditorPart>
      </EditorPanel>
    </AtEventContext>
  );
}

const smoothings = (current: number) =>
  [...new Set([1, 3, 7, 14, 28, current])]
    .sort((a, b) => a - b)
    .map((count) => ({ value: String(count), label: count === 1 ? 'No smoothing' : `Mean of ${count} points` }));

export function TrendsOptions({ question, change }: EditorProps) {
  const mean = typeof question.smoothing_intervals === 'number' ? question.smoothing_intervals : 1;
  return (
    <>
      <ComparisonPicker question={question} change={change} />
      <Select
        aria-label="Picture"
        w={150}
        data={[...displays]}
        value={displayOf(question)}
        allowDeselect={false}
        onChange={(display) => change({ display: display === 'ActionsLineGraph' ? undefined : (display ?? undefined) })}
      />
      <Select
        aria-label="Smoothing: each number is the mean of so many points up to its own"
        w={165}
        data={smoothings(mean)}
        value={String(mean)}
        allowDeselect={false}
        onChange={(count) => change({ smoothing_intervals: count === '1' ? undefined : Number(count) })}
      />
    </>
  );
}
