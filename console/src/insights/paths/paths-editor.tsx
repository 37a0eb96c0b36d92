import { Autocomplete, Checkbox, Group, MultiSelect, NumberInput, TagsInput } from '@mantine/core';
import { useProject } from '../../address/project-context';
import { textOf } from '../../address/search';
import { useEventNames } from '../../filters/pickers';
import { type EditorProps } from '../kind';
import { EditorPanel, EditorPart } from '../question/editor-panel';
import { useDraft } from '../question/use-draft';
import { listField, textsOf } from './lists';

const eventTypes = [
  { value: '$pageview', label: 'Page views' },
  { value: '$screen', label: 'Screens' },
  { value: 'custom_event', label: 'Other events' },
];

export function PathsEditor(props: EditorProps) {
  const { question, change } = props;
  const names = useEventNames()
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('$'));
  const project = useProject();
  return (
    <EditorPanel
      {...props}
      side={
        <>
          <EditorPart title="Group together (* matches any text)">
            <TagsInput
              aria-label="Patterns whose items become one"
              placeholder={textsOf(question.path_groupings).length === 0 ? 'For example /product/*' : undefined}
              value={textsOf(question.path_groupings)}
              onChange={(list) => change({ path_groupings: listField(list) })}
              acceptValueOnBlur
            />
            {project.path_cleaning_filters.length > 0 && (
              <Checkbox
                label="Apply the cleaning rules of the project"
                checked={question.path_replacements === true}
                onChange={({ currentTarget }) => change({ path_replacements: currentTarget.checked || undefined })}
              />
            )}
          </EditorPart>
          <EditorPart title="Size">
            <Group gap="xs">
              <SizeInput
                label="Number of steps"
                name="step_limit"
                fallback={5}
                min={2}
                max={20}
                suffix=" steps"
                {...props}
              />
              <SizeInput
                label="Number of edges"
                name="edge_limit"
                fallback={50}
                min={1}
                max={1000}
                prefix="top "
                suffix=" edges"
                {...props}
              />
            </Group>
          </EditorPart>
        </>
      }
    >
      <EditorPart title="Include events">
        <Group gap="xs">
          <MultiSelect
            aria-label="Kinds of events"
            flex="1 1 220px"
            placeholder={textsOf(question.include_event_types).length === 0 ? 'All events' : undefined}
            data={eventTypes}
            value={textsOf(question.include_event_types)}
            onChange={(types) => change({ include_event_types: listField(types) })}
          />
          <TagsInput
            aria-label="More events by name"
            flex="1 1 220px"
            placeholder={textsOf(question.include_custom_events).length === 0 ? 'More events' : undefined}
            data={names}
            value={textsOf(question.include_custom_events)}
            onChange={(list) => change({ include_custom_events: listField(list) })}
            acceptValueOnBlur
          />
        </Group>
      </EditorPart>
      <EditorPart title="From and to">
        <Group gap="xs">
          <PointInput label="Starts at" name="start_point" names={names} {...props} />
          <PointInput label="Ends at" name="end_point" names={names} {...props} />
        </Group>
      </EditorPart>
      <EditorPart title="Exclude (* matches any text)">
        <TagsInput
          aria-label="Excluded items"
          placeholder={textsOf(question.exclude_events).length === 0 ? 'For example */checkout/*' : undefined}
          data={names}
          value={textsOf(question.exclude_events)}
          onChange={(list) => change({ exclude_events: listField(list) })}
          acceptValueOnBlur
        />
      </EditorPart>
    </EditorPanel>
  );
}

function PointInput({
  label,
  name,
  names,
  question,
  change,
}: EditorProps & { readonly label: string; readonly name: 'start_point' | 'end_point'; readonly names: string[] }) {
  const [typed, setTyped] = useDraft(textOf(question[name]) ?? '', (text) =>
    change({ [name]: text.trim() === '' ? undefined : text }),
  );
  return (
    <Autocomplete
      aria-label={label}
      flex="1 1 220px"
      placeholder={`${label} any page or event`}
      data={names}
      clearable
      maxLength={4000}
      value={typed}
      onChange={setTyped}
    />
  );
}

function SizeInput({
  label,
  name,
  fallback,
  question,
  change,
  ...props
}: EditorProps & {
  readonly label: string;
  readonly name: 'step_limit' | 'edge_limit';
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
  readonly prefix?: string;
  readonly suffix: string;
}) {
  const value = question[name];
  const [typed, setTyped] = useDraft<string | number>(typeof value === 'number' ? value : fallback, (next) => {
    if (typeof next === 'number' && next >= props.min) change({ [name]: next === fallback ? undefined : next });
  });
  return (
    <NumberInput
      {...props}
      aria-label={label}
      w={150}
      allowDecimal={false}
      clampBehavior="blur"
      value={typed}
      onChange={setTyped}
    />
  );
}
