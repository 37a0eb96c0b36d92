import { textOf } from '../../address/search';
import { capital } from '../../filters/account-words';
import { useActors } from '../actors';
import { type EditorProps } from '../kind';
import { readBreakdowns } from '../question/breakdowns';
import { EditorPanel, EditorPart } from '../question/editor-panel';
import { AttemptsEditor } from './attempts-editor';
import { ExclusionsEditor } from './exclusions-editor';
import { stepNames } from './funnel';
import { StepsEditor } from './steps-editor';
import { Select } from '../../ui/select';

export function FunnelEditor(props: EditorProps) {
  const { question } = props;
  const [, many] = useActors().noun;
  return (
    <EditorPanel
      {...props}
      hasBreakdown
      side={
        <EditorPart title={`${capital(many)} take the steps`}>
          <AttemptsEditor {...props} />
        </EditorPart>
      }
    >
      <EditorPart title="Steps">
        <StepsEditor {...props} />
      </EditorPart>
      {stepNames(question).length > 1 && (
        <EditorPart title="Exclusions">
          <ExclusionsEditor {...props} />
        </EditorPart>
      )}
      {readBreakdowns(question).length > 0 && (
        <EditorPart title="The value of the breakdown is that of">
          <AttributionPicker {...props} />
        </EditorPart>
      )}
    </EditorPanel>
  );
}

/** Chooses the event of a person that gives the value by which the funnel is split. */
function AttributionPicker({ question, change }: EditorProps) {
  const type = textOf(question.breakdown_attribution_type) ?? 'first_touch';
  const index = typeof question.breakdown_attribution_value === 'number' ? question.breakdown_attribution_value : 0;
  return (
    <Select
      aria-label="Event that gives the value of the breakdown"
      maw={300}
      data={[
        { value: 'first_touch', label: 'the first event with a value' },
        { value: 'last_touch', label: 'the last event with a value' },
        { value: 'all_events', label: 'every event' },
        ...stepNames(question).map((name, at) => ({ value: `step:${at}`, label: `step ${at + 1}, ${name}` })),
      ]}
      value={type === 'step' ? `step:${index}` : type}
      allowDeselect={false}
      onChange={(value) =>
        change({
          breakdown_attribution_type: value?.startsWith('step:')
            ? 'step'
            : value === 'first_touch'
              ? undefined
              : (value ?? undefined),
          breakdown_attribution_value: value?.startsWith('step:') ? Number(value.slice('step:'.length)) : undefined,
        })
      }
    />
  );
}
