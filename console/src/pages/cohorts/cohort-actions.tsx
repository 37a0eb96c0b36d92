import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowsLeftRight, IconCopy, IconDots, IconRefresh, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client';
import { type Schemas } from '../../api/types';
import { useOpenProject } from '../../address/project-context';
import { AskFirst } from '../../ui/ask-first';
import { useActors } from '../../insights/actors';
import { formatCount, formatNumber, type Noun } from '../../ui/format';
import { notifyDone } from '../../ui/notify';
import { type CohortProps, kindOf, patchCohort, pathOf, useCohortChange } from './cohort';

type Recalculated = Schemas['RecalculatedCohortDto'];

/** So long, in seconds, an answer waits for a calculation; a longer one is followed by reading the cohort again. */
const wait = 5;

const outcomeOf = (
  { is_calculating, calculation_error, count, members_came, members_went }: Recalculated,
  noun: Noun,
): string => {
  if (is_calculating) return 'The calculation has started.';
  if (calculation_error) return 'The calculation failed.';
  const change =
    members_came === null || members_went === null
      ? ''
      : `: ${formatNumber(members_came)} joined, ${formatNumber(members_went)} left`;
  return `${formatCount(count ?? 0, ...noun)}${change}.`;
};

/** The menu of a cohort. */
export function CohortActions({ projectId, cohort }: CohortProps) {
  const { can } = useOpenProject();
  const { noun } = useActors();
  const navigate = useNavigate();
  const [isDeleting, { open, close }] = useDisclosure();
  const params = { path: pathOf(projectId, cohort), query: { wait } };
  const recalculate = useCohortChange(
    projectId,
    () => api.POST('/api/projects/{project_id}/cohorts/{id}/recalculate', { params }),
    { onDone: (answer) => notifyDone(outcomeOf(answer, noun)), hasForm: false },
  );
  const duplicate = useCohortChange(
    projectId,
    () => api.GET('/api/projects/{project_id}/cohorts/{id}/duplicate_as_static_cohort', { params }),
    {
      onDone: ({ id, name }) => {
        notifyDone(`Copied as “${name}”.`);
        void navigate({
          to: '/p/$projectId/cohorts/$cohortId',
          params: { projectId, cohortId: String(id) },
          search: { tab: 'members' },
        });
      },
      hasForm: false,
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
          onClick={() => recalculate.mutate()}
        >
          Recalculate
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More" loading={duplicate.isPending}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {cohort.group_type_index === null && (
            <Menu.Item
              leftSection={<IconArrowsLeftRight size={16} aria-hidden />}
              component={Link}
              to={`/p/${projectId}/cohorts/compare`}
              search={{ a: cohort.id } as never}
            >
              Compare with another cohort
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconCopy size={16} aria-hidden />}
            disabled={cohort.count === null}
            onClick={() => duplicate.mutate()}
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

interface DeleteCohortProps extends CohortProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function DeleteCohort({ projectId, cohort, isOpen, onClose }: DeleteCohortProps) {
  const remove = useCohortChange(projectId, () => patchCohort(projectId, cohort, { deleted: true }), {
    onDone: onClose,
  });
  const end = (): void => {
    remove.reset();
    onClose();
  };
  return (
    <AskFirst
      title="Delete the cohort?"
      confirm="Delete"
      isOpen={isOpen}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={remove.mutate}
      onClose={end}
    >
      “{cohort.name}” is not listed any more. Its members stay, and the cohort can be restored on its page.
    </AskFirst>
  );
}
