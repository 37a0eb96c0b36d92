import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useOpenProject } from '../../address/project-context';
import { useActors } from '../../insights/actors';
import { formatNumber } from '../../ui/format';
import { ProblemAlert } from '../../ui/problem-alert';
import { CohortState, KindBadge } from './cohort-marks';
import { type CohortProps, patchCohort, useCohortChange } from './cohort';
import { NameFields } from './name-fields';

/** Size, type and state of a cohort; its name and description, which can be changed in place. */
export function CohortSummary({ projectId, cohort }: CohortProps) {
  const { can } = useOpenProject();
  const [one, many] = useActors().noun;
  const [isEditing, setEditing] = useState(false);
  return (
    <Stack gap={6} mt={4}>
      {isEditing ? (
        <NamingForm projectId={projectId} cohort={cohort} onClose={() => setEditing(false)} />
      ) : (
        <Group gap={6} wrap="nowrap" align="flex-start">
          <Text size="sm" maw={720} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {cohort.description || 'No description'}
          </Text>
          {can('cohort:write') && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label="Change the name and the description"
              onClick={() => setEditing(true)}
            >
              <IconPencil size={15} />
            </ActionIcon>
          )}
        </Group>
      )}
      <Group gap="md" c="var(--mantine-color-text)">
        <Text size="sm" className="numbers">
          <b>{cohort.count === null ? '–' : formatNumber(cohort.count)}</b> {cohort.count === 1 ? one : many}
        </Text>
        <KindBadge cohort={cohort} />
        <CohortState cohort={cohort} />
      </Group>
    </Stack>
  );
}

function NamingForm({ projectId, cohort, onClose }: CohortProps & { readonly onClose: () => void }) {
  const [naming, setNaming] = useState({ name: cohort.name, description: cohort.description });
  const change = useCohortChange(
    projectId,
    () => patchCohort(projectId, cohort, { ...naming, name: naming.name.trim() }),
    { onDone: onClose },
  );
  return (
    <form
      style={{ width: 'min(560px, 85vw)' }}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <Stack gap="xs" c="var(--mantine-color-text)">
        <NameFields value={naming} onChange={setNaming} />
        {change.error && <ProblemAlert error={change.error} />}
        <Group gap="xs">
          <Button size="xs" type="submit" loading={change.isPending} disabled={naming.name.trim() === ''}>
            Save
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
