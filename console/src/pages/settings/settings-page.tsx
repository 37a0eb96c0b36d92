import { Group, NavLink, Stack } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useOpenProject } from '../../address/project-context';
import { EmptyState } from '../../ui/empty-state';
import { Page } from '../../ui/page';
import { sections } from './sections';
import { useIsOwner } from './shared/use-is-owner';
import { Select } from '../../ui/select';

/** The list of sections is at the left; on narrow screens a select takes its place. */
export function SettingsPage() {
  const { section } = useParams({ from: '/p/$projectId/settings/$section' });
  const { project, can } = useOpenProject();
  const navigate = useNavigate();
  const isOwner = useIsOwner();
  const visible = sections.filter(({ forOwners = false }) => isOwner || !forOwners);
  const current = visible.find(({ path }) => path === section);
  const open = (path: string): void =>
    void navigate({
      to: '/p/$projectId/settings/$section',
      params: { projectId: String(project.id), section: path },
      search: {},
    });

  return (
    <Page title={current?.label ?? 'Settings'} description={current?.description ?? project.name}>
      <Select
        hiddenFrom="md"
        aria-label="Section of the settings"
        data={visible.map(({ path, label }) => ({ value: path, label }))}
        value={current?.path ?? null}
        allowDeselect={false}
        onChange={(path) => path !== null && open(path)}
      />
      <Group align="flex-start" wrap="nowrap" gap="lg">
        <Stack component="nav" aria-label="Sections of the settings" visibleFrom="md" gap={2} w={176} flex="none">
          {visible.map(({ path, label }) => (
            <NavLink
              key={path}
              href={`/p/${project.id}/settings/${path}`}
              label={label}
              active={path === section}
              aria-current={path === section ? 'page' : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                open(path);
              }}
              style={{ borderRadius: 'var(--mantine-radius-md)' }}
            />
          ))}
        </Stack>
        <Stack flex={1} miw={0} maw={980}>
          {!current ? (
            <EmptyState kind="missing" title="There is no such section">
              Choose one from the list.
            </EmptyState>
          ) : current.scope !== undefined && !can(current.scope) ? (
            <EmptyState kind="missing" title="Your role cannot open this section">
              It needs the scope {current.scope}.
            </EmptyState>
          ) : (
            <current.Content key={`${project.id} ${current.path}`} />
          )}
        </Stack>
      </Group>
    </Page>
  );
}
