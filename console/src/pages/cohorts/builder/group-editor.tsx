import { ActionIcon, Button, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { capital } from '../../../filters/account-words';
import { useActors } from '../../../insights/actors';
import { newCriterion } from './criteria';
import { CriterionEditor, type Refusal } from './criterion-editor';
import { criterionNode, groupNode, isAny, isGroupNode, type DefinitionNode, type GroupNode } from './definition';

interface GroupEditorProps {
  readonly group: GroupNode;
  readonly depth: number;
  readonly ownId: number | null;
  readonly refusal: Refusal | null;
  /** Replaces a node of the tree; null removes it. */
  readonly onReplace: (id: number, by: DefinitionNode | null) => void;
}

const maxDepth = 5;

/** Criteria and groups of them, all or any of which must hold. */
export function GroupEditor({ group, depth, ownId, refusal, onReplace }: GroupEditorProps) {
  const { groupType, noun } = useActors();
  const whose = groupType === null ? 'Persons for whom' : `${capital(noun[1])} for which`;
  const any = isAny(group);
  const change = (values: readonly DefinitionNode[]): void => onReplace(group.id, { ...group, values });
  const content = (
    <Stack gap="xs">
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {depth === 0 ? whose : 'The group:'}
          </Text>
          <SegmentedControl
            size="xs"
            aria-label="How the criteria are joined"
            data={[
              { value: 'AND', label: 'all' },
              { value: 'OR', label: 'any' },
            ]}
            value={any ? 'OR' : 'AND'}
            onChange={(type) => onReplace(group.id, { ...group, fields: { ...group.fields, type } })}
          />
          <Text size="sm">of these hold: they …</Text>
        </Group>
        {depth > 0 && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Remove this group"
            onClick={() => onReplace(group.id, null)}
          >
            <IconX size={16} />
          </ActionIcon>
        )}
      </Group>
      {group.values.map((node, index) => (
        <Stack key={node.id} gap="xs">
          {index > 0 && (
            <Text size="xs" fw={600} c="dimmed" pl="xs">
              {any ? 'or' : 'and'}
            </Text>
          )}
          {isGroupNode(node) ? (
            <GroupEditor group={node} depth={depth + 1} ownId={ownId} refusal={refusal} onReplace={onReplace} />
          ) : (
            <CriterionEditor
              node={node}
              ownId={ownId}
              refusal={refusal?.id === node.id ? refusal : null}
              onChange={(criterion) => onReplace(node.id, { id: node.id, criterion, isStored: false })}
              onCopy={() =>
                change([
                  ...group.values.slice(0, index + 1),
                  criterionNode(node.criterion),
                  ...group.values.slice(index + 1),
                ])
              }
              onRemove={() => onReplace(node.id, null)}
            />
          )}
        </Stack>
      ))}
      {refusal?.id === group.id && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {refusal.detail}
        </Text>
      )}
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => change([...group.values, criterionNode(newCriterion())])}
        >
          Add a criterion
        </Button>
        {depth < maxDepth && (
          <Button
            size="xs"
            variant="subtle"
            onClick={() => change([...group.values, groupNode(any ? 'AND' : 'OR', [criterionNode(newCriterion())])])}
          >
            Add a group
          </Button>
        )}
      </Group>
    </Stack>
  );
  return (
    <Paper withBorder p="sm" bg={depth % 2 === 1 ? 'var(--mantine-color-default-hover)' : undefined}>
      {content}
    </Paper>
  );
}
