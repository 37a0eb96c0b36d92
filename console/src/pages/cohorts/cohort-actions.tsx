import { ActionIcon, Button, Group, Menu, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCopy, IconDotsVertical, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { sendJson } from '../../api/client';
import { type components } from '../../api/schema';
import { type Cohort } from '../../api/types';
import { useOpenProject } from '../../address/project-context';
import { formatNumber } from '../../ui/format';
import { notifyDone, notifyProblem } from '../../ui/notify';
import { ProblemAlert } from '../../ui/problem-alert';
import { type OfCohort } from './existing-cohort';
import { kindOf } from './kind';
import { cohortAddress, patchCohort, useCohortChange } from './requests';

type Recalculated = components['schemas']['RecalculatedCohortDto'];

/** So long, in seconds, an answer waits for a calculation; a longer one is followed by reading the cohort again. */
const wait = 5;

const outcomeOf = ({ is_calculating, calculation_error, count, members_came, members_went }: Recalculated): string => {
  if (is_calculating) return 'The calculation has begun.';
  if (calculation_error) return 'The calculation failed.';
  const change =
    members_came === null || members_went === null
      ? ''
      : `: ${formatNumber(members_came)} came, ${formatNumber(members_went)} went`;
  return `${formatNumber(count ?? 0)} ${count === 1 ? 'person' : 'persons'}${change}.`;
};

/** What can be done with a cohort. */
export function CohortActions({ projectId, cohort }: OfCohort) {
  const { can } = useOpenProject();
  const navigate = useNavigate();
  const [isDeleting, { open, close }] = useDisclosure();
  const address = cohortAddress(projectId, cohort.id);
  const recalculate = useCohortChange(
    projectId,
    () => sendJson<Recalculated>('POST', `${address}/recalculate?wait=${wait}`),
    (answer) => notifyDone(outcomeOf(answer)),
  );
  const duplicate = useCohortChange(
    projectId,
    () => sendJson<Cohort>('GET', `${address}/duplicate_as_static_cohort?wait=${wait}`),
    ({ id, name }) => {
      notifyDone(`The copy is “${name}”.`);
      void navigate({
        to: '/p/$projectId/cohorts/$cohortId',
        params: { projectId, cohortId: String(id) },
        search: { tab: 'members' },
      });
    },
  );
  if (!can('cohort:write') || cohort.deleted) return null;
  const kind = kindOf(cohort);
  return (
    <>
      {kind !== 'static' && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={recalculate.isPending}
          disabled={cohort.is_calculating || (kind === 'query' && !can('query:read'))}
          title={
            kind === 'query' && !can('query:read') ? 'Running the query needs the right to read by SQL' : undefined
          }
          onClick={() => recalculate.mutate(undefined, { onError: notifyProblem })}
        >
          Recalculate
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More" loading={duplicate.isPending}>
            <IconDotsVertical size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconCopy size={16} aria-hidden />}
            disabled={cohort.count === null}
            onClick={() => duplicate.mutate(undefined, { onError: notifyProblem })}
          >
            Duplicate as static
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={open}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <DeleteCohort projectId={projectId} cohort={cohort} isOpen={isDeleting} onClose={close} />
    </>
  );
}

interface DeleteCohortProps extends OfCohort {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function DeleteCohort({ projectId, cohort, isOpen, onClose }: DeleteCohortProps) {
  const remove = useCohortChange(projectId, () => patchCohort(projectId, cohort.id, { deleted: true }), onClose);
  const end = (): void => {
    remove.reset();
    onClose();
  };
  return (
    <Modal opened={isOpen} onClose={end} title="Delete the cohort?">
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          “{cohort.name}” is not listed any more. The persons in it stay, and the cohort can be restored on its page.
        </Text>
        {remove.error && <ProblemAlert error={remove.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={end}>
            Cancel
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
