import { Paper, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client';
import { useProjectId } from '../../../address/project-context';
import { ActorsContext, useActorsOfType } from '../../../insights/actors';
import { Page } from '../../../ui/page';
import { type CohortDefinition } from './definition';
import { DefinitionBuilder } from './definition-builder';
import { NameFields } from '../name-fields';
import { MembersField } from '../members-field';
import { membersOf, useCohortChange } from '../cohort';

/** The builder with nothing in it. */
export function NewCohort() {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [groupType, setGroupType] = useState<number | null>(null);
  const actors = useActorsOfType(groupType);
  const [naming, setNaming] = useState({ name: '', description: '' });
  const create = useCohortChange(
    projectId,
    (filters: CohortDefinition) =>
      api.POST('/api/projects/{project_id}/cohorts', {
        params: { path: { project_id: projectId } },
        body: { name: naming.name.trim(), description: naming.description, filters, ...membersOf(groupType) },
      }),
    {
      onDone: ({ id }) =>
        navigate({
          to: '/p/$projectId/cohorts/$cohortId',
          params: { projectId, cohortId: String(id) },
          search: { tab: 'members' },
          ignoreBlocker: true,
        }),
    },
  );
  return (
    <Page title="New cohort" description="Members are recalculated automatically from the definition.">
      <Paper withBorder p="sm">
        <Stack gap="sm">
          <NameFields value={naming} onChange={setNaming} />
          <ActorsContext value={actors}>
            <MembersField onChange={setGroupType} />
          </ActorsContext>
        </Stack>
      </Paper>
      <ActorsContext value={actors}>
        <DefinitionBuilder
          // The criteria are about the members.
          key={groupType}
          stored={null}
          ownId={null}
          saveLabel="Create cohort"
          canSave={naming.name.trim() !== ''}
          isSaving={create.isPending}
          saveError={create.error}
          onSave={create.mutate}
        />
      </ActorsContext>
    </Page>
  );
}
