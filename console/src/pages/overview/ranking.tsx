import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../ui/format';
import classes from './overview.module.css';

interface Line {
  readonly name: string;
  readonly count: number;
  readonly to?: { readonly to: string; readonly search: never };
}

/** The largest numbers, each with a bar behind its name. */
export function Ranking({ lines, empty }: { readonly lines: readonly Line[]; readonly empty: string }) {
  const most = Math.max(1, ...lines.map(({ count }) => count));
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    );
  return (
    <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {lines.map(({ name, count, to }) => (
        <Group
          key={name}
          component="li"
          justify="space-between"
          wrap="nowrap"
          gap="sm"
          className={classes.line}
          style={{ '--share': `${(100 * count) / most}%` }}
        >
          <Text size="sm" truncate title={name}>
            {to ? (
              <Link {...to} className={classes.open}>
                {name}
              </Link>
            ) : (
              name
            )}
          </Text>
          <Text size="sm" className="numbers">
            {formatNumber(count)}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
