import { MultiSelect, ScrollArea, SegmentedControl, Stack, TagsInput } from '@mantine/core';
import { useEventNames } from '../../filters/pickers';
import { usePropertyNames } from '../../filters/properties';
import { AttemptsEditor } from '../funnel/attempts-editor';
import { ExclusionsEditor } from '../funnel/exclusions-editor';
import { stepNames } from '../funnel/funnel';
import { StepsEditor } from '../funnel/steps-editor';
import { capital } from '../../filters/account-words';
import { useActors } from '../actors';
import { type EditorProps } from '../kind';
import { listField, textsOf } from '../paths/lists';
import { EditorPanel, EditorPart } from '../question/editor-panel';
import { correlationTypes, typeOf } from './correlation';

export function CorrelationEditor(props: EditorProps) {
  const { question, change } = props;
  const { noun } = useActors();
  const type = typeOf(question);
  return (
    <EditorPanel
      {...props}
      side={
        <>
          <EditorPart title={`${capital(noun[1])} take the steps`}>
            <AttemptsEditor {...props} />
          </EditorPart>
          <EditorPart title="Compared">
            <Stack gap="xs" align="flex-start" miw={0}>
              <ScrollArea type="auto" maw="100%">
                <SegmentedControl
                  size="xs"
                  aria-label="What is compared"
                  data={correlationTypes(noun)}
                  value={type}
                  onChange={(next) => change(comparing(next, question.funnel_correlation_event_names))}
                />
              </ScrollArea>
              <Names {...props} type={type} />
            </Stack>
          </EditorPart>
        </>
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
    </EditorPanel>
  );
}

/** Properties are compared by their names, of which `$all` means each one. */
const comparing = (type: string, events: unknown) => ({
  funnel_correlation_type: type === 'events' ? undefined : type,
  funnel_correlation_names: type === 'properties' ? ['$all'] : undefined,
  funnel_correlation_event_names: type === 'event_with_properties' ? events : undefined,
});

function Names({ question, change, type }: EditorProps & { readonly type: string }) {
  const events = useEventNames().map(({ name }) => name);
  const { groupType, noun } = useActors();
  const properties = usePropertyNames(
    groupType === null ? { type: 'person' } : { type: 'group', group_type_index: groupType },
  );
  const chosen = textsOf(question.funnel_correlation_names);
  if (type === 'events') {
    return <LeftOut field="funnel_correlation_exclude_event_names" data={events} question={question} change={change} />;
  }
  if (type === 'properties') {
    return (
      <>
        <MultiSelect
          aria-label={`Properties of ${noun[1]} that are compared`}
          w="100%"
          searchable
          data={[{ value: '$all', label: 'All properties' }, ...properties.filter((name) => name !== '$all')]}
          value={chosen}
          onChange={(names) => {
            // A name chosen beside all of them replaces them.
            const own = names.at(-1) === '$all' ? ['$all'] : names.filter((name) => name !== '$all');
            change({ funnel_correlation_names: own.length === 0 ? ['$all'] : own });
          }}
        />
        <LeftOut field="funnel_correlation_exclude_names" data={properties} question={question} change={change} />
      </>
    );
  }
  return (
    <>
      <MultiSelect
        aria-label="Events whose properties are compared"
        placeholder="Events whose properties are compared"
        w="100%"
        searchable
        data={events}
        value={textsOf(question.funnel_correlation_event_names)}
        onChange={(names) => change({ funnel_correlation_event_names: listField(names) })}
      />
      <LeftOut field="funnel_correlation_event_exclude_property_names" data={[]} question={question} change={change} />
    </>
  );
}

function LeftOut({
  field,
  data,
  question,
  change,
}: EditorProps & { readonly field: string; readonly data: readonly string[] }) {
  const names = textsOf(question[field]);
  return (
    <TagsInput
      aria-label="Excluded names"
      placeholder={names.length === 0 ? 'Excluded names' : undefined}
      w="100%"
      data={[...data]}
      value={names}
      onChange={(list) => change({ [field]: listField(list) })}
      acceptValueOnBlur
    />
  );
}
