import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useOpenProject } from '../../../address/project-context';
import { errorAt, FormProblem } from '../../../ui/field-error';
import { Section } from '../shared/section';
import { useProjectChange } from '../shared/use-project-change';
import { CleaningTrial, type CleaningRule } from './cleaning-trial';

const moved = <T,>(list: readonly T[], from: number, to: number): T[] => {
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)];
};

/** Rewrites that put pages which differ by an id only under one name. */
export function PathCleaning() {
  const { project, can } = useOpenProject();
  const [rules, setRules] = useState<readonly CleaningRule[]>(project.path_cleaning_filters);
  const { save, isPending, error } = useProjectChange('Rules saved.');
  const isReadOnly = !can('project:write');
  const change = (at: number, fields: Partial<CleaningRule>): void =>
    setRules(rules.map((rule, index) => (index === at ? { ...rule, ...fields } : rule)));
  const fields = rules.flatMap((_, at) => [`path_cleaning_filters.${at}.regex`, `path_cleaning_filters.${at}.alias`]);

  return (
    <Section
      title="Clean up page URLs"
      description={
        <>
          Paths apply these rewrites one after the other when their cleaning is on. The alias takes the place of every
          match of the regular expression (RE2); {'\\1'} in it stands for the first group.
        </>
      }
    >
      <Stack>
        <FormProblem error={error} fields={fields} />
        {rules.length === 0 && (
          <Text size="sm" c="dimmed">
            No rules yet. A common one is {'/\\d+'} with the alias /:id.
          </Text>
        )}
        {rules.map((rule, at) => (
          <Group key={at} gap="xs" align="flex-start">
            <TextInput
              aria-label={`Regular expression ${at + 1}`}
              placeholder="/\d+"
              ff="monospace"
              style={{ flex: '2 1 200px' }}
              maxLength={400}
              readOnly={isReadOnly}
              value={rule.regex}
              onChange={({ currentTarget }) => change(at, { regex: currentTarget.value })}
              error={errorAt(error, `path_cleaning_filters.${at}.regex`)}
            />
            <TextInput
              aria-label={`Alias ${at + 1}`}
              placeholder="/:id"
              style={{ flex: '1 1 140px' }}
              maxLength={400}
              readOnly={isReadOnly}
              value={rule.alias}
              onChange={({ currentTarget }) => change(at, { alias: currentTarget.value })}
              error={errorAt(error, `path_cleaning_filters.${at}.alias`)}
            />
            {!isReadOnly && (
              <Group gap={2} wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={`Apply rewrite ${at + 1} earlier`}
                  disabled={at === 0}
                  onClick={() => setRules(moved(rules, at, at - 1))}
                >
                  <IconArrowUp size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={`Apply rewrite ${at + 1} later`}
                  disabled={at === rules.length - 1}
                  onClick={() => setRules(moved(rules, at, at + 1))}
                >
                  <IconArrowDown size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={`Remove rule ${at + 1}`}
                  onClick={() => setRules(rules.filter((_, index) => index !== at))}
                >
                  <IconX size={16} />
                </ActionIcon>
              </Group>
            )}
          </Group>
        ))}
        {!isReadOnly && (
          <Group>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={rules.length >= 50}
              onClick={() => setRules([...rules, { regex: '', alias: '' }])}
            >
              Add a rule
            </Button>
          </Group>
        )}
        {can('query:read') && <CleaningTrial rules={rules} />}
        {!isReadOnly && (
          <Group justify="flex-end">
            <Button variant="default" loading={isPending} onClick={() => save({ path_cleaning_filters: [...rules] })}>
              Save rules
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
