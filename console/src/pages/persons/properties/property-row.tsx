import { ActionIcon, Group, Table, Text, Tooltip } from '@mantine/core';
import { IconEraser, IconHistory, IconPencil, type Icon } from '@tabler/icons-react';
import { PropertyEditor } from './property-editor';
import { typeOf, Value } from '../../../ui/value';

interface PropertyRowProps {
  readonly name: string;
  readonly value: unknown;
  readonly isEditing: boolean;
  readonly isSaving: boolean;
  readonly mayWrite: boolean;
  readonly onEdit: () => void;
  readonly onCancel: () => void;
  readonly onSave: (value: unknown) => void;
  readonly onUnset: () => void;
  readonly onHistory: () => void;
}

export function PropertyRow({
  name,
  value,
  isEditing,
  isSaving,
  mayWrite,
  onEdit,
  onCancel,
  onSave,
  onUnset,
  onHistory,
}: PropertyRowProps) {
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
      </Table.Td>
      <Table.Td>
        {isEditing ? (
          <PropertyEditor value={value} isSaving={isSaving} onSave={onSave} onCancel={onCancel} />
        ) : (
          <Value value={value} />
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="xs" c="dimmed">
          {typeOf(value)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap={2} wrap="nowrap" justify="flex-end">
          <RowButton label={`History of ${name}`} icon={IconHistory} onClick={onHistory} />
          {mayWrite && <RowButton label={`Change ${name}`} icon={IconPencil} onClick={onEdit} />}
          {mayWrite && <RowButton label={`Remove ${name}`} icon={IconEraser} onClick={onUnset} />}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function RowButton({
  label,
  icon: ButtonIcon,
  onClick,
}: {
  readonly label: string;
  readonly icon: Icon;
  readonly onClick: () => void;
}) {
  return (
    <Tooltip label={label} openDelay={400} maw={300} multiline>
      <ActionIcon variant="subtle" color="gray" size="md" aria-label={label} onClick={onClick}>
        <ButtonIcon size={15} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  );
}
