import { type EditorProps } from '../kind';
import { EditorPanel, EditorPart } from '../question/editor-panel';
import { EntitiesEditor } from '../question/entities-editor';
import { entityFields, readEntities } from '../question/entities';

export function LifecycleEditor(props: EditorProps) {
  const { question, change } = props;
  return (
    <EditorPanel {...props}>
      <EditorPart title="A person is active with">
        <EntitiesEditor
          entities={readEntities(question).slice(0, 1)}
          noun="Series"
          atMost={1}
          onChange={(entities) => change(entityFields(entities))}
        />
      </EditorPart>
    </EditorPanel>
  );
}
