import { Anchor, Badge, Group, Paper, Switch, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Flag } from '../../api/types';
import { personName } from '../../api/accounts';
import { useOpenProject } from '../../address/project-context';
import { useAccountTypes } from '../../filters/account-types';
import { CardTable, type Head } from '../../ui/card-table';
import { actorsOf } from '../../insights/actors';
import { formatAgo, formatCount, formatNumber, formatTime } from '../../ui/format';
import { useFlagChange } from './flag';

const heads: readonly Head[] = [
  { label: 'Flag' },
  { label: 'On', w: 80 },
  { label: 'For', w: '22%' },
  { label: 'Variants', w: '22%' },
  { label: 'Changed', w: 150 },
  { label: 'Created by', w: 130 },
];

interface FlagTableProps {
  readonly projectId: string;
  readonly flags: readonly Flag[];
}

export function FlagTable({ projectId, flags }: FlagTableProps) {
  return (
    <Paper withBorder>
      <CardTable minWidth={860} heads={heads} highlightOnHover verticalSpacing="sm" aria-label="Flags">
        {flags.map((flag) => (
          <FlagRow key={flag.id} projectId={projectId} flag={flag} />
        ))}
      </CardTable>
    </Paper>
  );
}

function FlagRow({ projectId, flag }: { readonly projectId: string; readonly flag: Flag }) {
  const { project } = useOpenProject();
  const { id, key, name, filters, created_by: author, updated_at: changedAt, last_modified_by: changedBy } = flag;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor
          component={Link}
          to={`/p/${projectId}/flags/${id}`}
          size="sm"
          fw={600}
          ff="monospace"
          style={{ overflowWrap: 'anywhere' }}
        >
          {key}
        </Anchor>
        {name !== '' && (
          <Text size="xs" c="dimmed" lineClamp={1} title={name} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <FlagSwitch projectId={projectId} flag={flag} />
      </Table.Td>
      <Table.Td>
        <Audience flag={flag} />
      </Table.Td>
      <Table.Td>
        <Group gap={4}>
          {(filters.multivariate?.variants ?? []).map((variant) => (
            <Badge key={variant.key} variant="default" tt="none" fw={500} maw={180} title={variant.key}>
              {variant.key} {formatNumber(variant.rollout_percentage)}%
            </Badge>
          ))}
          {!filters.multivariate && (
            <Text size="sm" c="dimmed">
              On or off
            </Text>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        <Text size="sm" component="time" dateTime={changedAt} title={formatTime(changedAt, project.timezone)}>
          {formatAgo(changedAt)}
        </Text>
        {changedBy && (
          <Text size="xs" c="dimmed" truncate maw={150}>
            {personName(changedBy)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm" lineClamp={1}>
          {author ? personName(author) : ''}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

/** Says in few words for whom the flag is on. */
function Audience({ flag: { filters, is_simple_flag: isSimple, rollout_percentage: share } }: { readonly flag: Flag }) {
  const { groups = [], aggregation_group_type_index: groupType } = filters;
  const [, many] = actorsOf(useAccountTypes(), groupType ?? null).noun;
  const only = groups.length === 1 ? groups[0] : undefined;
  const percent = share ?? only?.rollout_percentage ?? 100;
  const rules = only?.properties?.length ?? 0;
  const text =
    groups.length === 0
      ? 'No one'
      : isSimple || (only && rules === 0)
        ? percent === 100
          ? `All ${many}`
          : `${formatNumber(percent)}% of all ${many}`
        : only
          ? `${percent === 100 ? '' : `${formatNumber(percent)}% of `}${many} by ${formatCount(rules, 'filter')}`
          : formatCount(groups.length, 'condition');
  return <Text size="sm">{text.charAt(0).toUpperCase() + text.slice(1)}</Text>;
}

/** Turns the flag on or off for everyone, at once. */
export function FlagSwitch({
  projectId,
  flag,
  label,
}: {
  readonly projectId: string;
  readonly flag: Flag;
  readonly label?: string;
}) {
  const { can } = useOpenProject();
  const { id, key, active } = flag;
  const change = useFlagChange(projectId, { message: (saved) => `${saved.key} is ${saved.active ? 'on' : 'off'}.` });
  return (
    <Switch
      aria-label={label === undefined ? `${key} is on` : undefined}
      label={label}
      checked={change.isPending ? change.variables.active === true : active}
      disabled={!can('feature_flag:write') || change.isPending}
      onChange={({ currentTarget }) => change.mutate({ id, active: currentTarget.checked })}
    />
  );
}
