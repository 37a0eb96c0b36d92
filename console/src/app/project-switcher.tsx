import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { projectsQuery } from '../api/accounts';

export function ProjectSwitcher({ projectId }: { projectId: string }) {
  const { data } = useQuery(projectsQuery);
  const navigate = useNavigate();
  return (
    <NativeSelect
      aria-label="Project"
      data={(data?.results ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      value={projectId}
      onChange={({ currentTarget }) =>
        void navigate({ to: '/p/$projectId/overview', params: { projectId: currentTarget.value } })
      }
    />
  );
}
