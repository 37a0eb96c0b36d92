import { Checkbox, Stack, Tooltip } from '@mantine/core';
import { useProject } from '../../address/project-context';
import { FilterBuilder, type FilterKind } from '../../filters/filter-builder';
import { readFilter } from '../../filters/filter';
import { type EditorProps } from '../kind';
import { useDraft } from './use-draft';

const kinds: readonly FilterKind[] = ['event', 'person', 'group', 'cohort'];

/** The filter that holds for all events of the question. */
export function QuestionFilter({ question, change }: EditorProps) {
  const project = useProject();
  const [filter, setFilter] = useDraft(readFilter(question.properties), (properties) =>
    change({ properties: properties.values.length === 0 ? undefined : properties }),
  );
  const isDefined = project.test_account_filters.length > 0;
  return (
    <Stack gap="xs">
      <FilterBuilder value={filter} onChange={setFilter} kinds={kinds} />
      <Tooltip
        label="There are no filters of test accounts yet: set them in the settings."
        disabled={isDefined}
        multiline
        maw={280}
      >
        <Checkbox
          label="Exclude test accounts"
          checked={question.filter_test_accounts === true}
          onChange={({ currentTarget }) => change({ filter_test_accounts: currentTarget.checked || undefined })}
          style={{ alignSelf: 'flex-start' }}
        />
      </Tooltip>
    </Stack>
  );
}
