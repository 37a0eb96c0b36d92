import { Button, Group, Paper, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { api } from '../../../api/client';
import { useProjectId } from '../../../address/project-context';
import { ActorsContext, useActorsOfType } from '../../../insights/actors';
import { Page } from '../../../ui/page';
import { ProblemAlert } from '../../../ui/problem-alert';
import { CsvDrop } from './csv-drop';
import { NameFields } from '../name-fields';
import { MembersField } from '../members-field';
import { membersOf, useCohortChange } from '../cohort';
import { withFile } from './upload';

/** A static cohort whose members are in a file. */
export function NewCsvCohort() {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [groupType, setGroupType] = useState<number | null>(null);
  const actors = useActorsOfType(groupType);
  const [naming, setNaming] = useState({ name: '', description: '' });
  const [file, setFile] = useState<File | null>(null);
  const [progress, setProgress] = useState(0);
  const running = useRef<AbortController>(null);
  const create = useCohortChange(
    projectId,
    (csv: File) => {
      running.current = new AbortController();
      setProgress(0);
      return api.POST('/api/projects/{project_id}/cohorts', {
        params: { path: { project_id: projectId } },
        body: { name: naming.name.trim(), description: naming.description, is_static: true, ...membersOf(groupType) },
        ...withFile(csv, setProgress),
        signal: running.current.signal,
      });
    },
    {
      onDone: ({ id }) =>
        navigate({
          to: '/p/$projectId/cohorts/$cohortId',
          params: { projectId, cohortId: String(id) },
          search: { tab: 'upload' },
        }),
    },
  );
  const choose = (csv: File): void => {
    setFile(csv);
    if (naming.name === '') setNaming({ ...naming, name: csv.name.replace(/\.[a-z]+$/i, '').slice(0, 400) });
  };
  return (
    <Page title="New cohort from a file" description="A static cohort: its members are those in the file.">
      <Paper withBorder p="sm">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (file) create.mutate(file);
          }}
        >
          <Stack gap="sm">
            <NameFields value={naming} onChange={setNaming} />
            <ActorsContext value={actors}>
              <MembersField onChange={setGroupType} />
              <CsvDrop
                chosen={file?.name}
                onFile={choose}
                progress={create.isPending ? progress : null}
                onCancel={() => running.current?.abort()}
              />
            </ActorsContext>
            {create.error && <ProblemAlert error={create.error} />}
            <Group justify="flex-end">
              <Button type="submit" loading={create.isPending} disabled={!file || naming.name.trim() === ''}>
                Create cohort
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </Page>
  );
}
