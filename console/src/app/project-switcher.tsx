import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { projectsQuery } from './account';

export function ProjectSwitcher({ projectId }: { projectId: string }) {
  const { data } = useQuery(projectsQuery);
  const navigate = useNavigate();
  return (
    <Select
      aria-label="Project"
      data={(data?.results ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      value={projectId}
      allowDeselect={false}
      searchable={(data?.count ?? 0) > 8}
      onChange={(id) => {
        if (id !== null) void navigate({ to: '/p/$projectId/live', params: { projectId: id } });
      }}
    />
  );
}
