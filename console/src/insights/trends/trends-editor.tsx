import { TextInput } from '@mantine/core';
import { textOf } from '../../address/search';
import { AtEventContext } from '../../filters/membership-time';
import { type EditorProps } from '../kind';
import { EditorPanel, EditorPart } from '../question/editor-panel';
import { EntitiesEditor } from '../question/entities-editor';
import { entityFields, readEntities } from '../question/entities';
import { useDraft } from '../question/use-draft';

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
