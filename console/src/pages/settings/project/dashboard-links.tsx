import { Stack, Switch } from '@mantine/core';
import { useOpenProject } from '../../../address/project-context';
import { FormProblem } from '../../../ui/field-error';
import { Section } from '../shared/section';
import { useProjectChange } from '../shared/use-project-change';

/** Lets links show dashboards without an account, or none. */
export function DashboardLinks() {
  const { project, can } = useOpenProject();
  const { dashboard_links_forbidden: forbidden } = project;
  const { save, isPending, error } = useProjectChange(
    forbidden ? 'Links work again.' : 'No link shows a dashboard now.',
  );
  return (
    <Section title="Dashboard links" description="Anyone who has a link can see its dashboard without an account.">
      <Stack>
        <FormProblem error={error} fields={[]} />
        <Switch
          label="Allow links"
          description="When off, no links can be made, existing ones stop working, and no dashboards are sent by e-mail"
          disabled={!can('project:write') || isPending}
          checked={!forbidden}
          onChange={({ currentTarget }) => save({ dashboard_links_forbidden: !currentTarget.checked })}
        />
      </Stack>
    </Section>
  );
}
