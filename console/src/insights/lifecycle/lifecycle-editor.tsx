import { capital } from '../../filters/account-words';
import { useActors } from '../actors';
import { type EditorProps } from '../kind';
import { EditorPanel, EditorPart } from '../question/editor-panel';
import { EntitiesEditor } from '../question/entities-editor';
import { entityFields, readEntities } from '../question/entities';

export function LifecycleEditor(props: EditorProps) {
  const { question, change } = props;
  const [, many] = useActors().noun;
  return (
    <EditorPanel {...props}>
      <EditorPart title={`${capital(many)} are active with`}>
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
