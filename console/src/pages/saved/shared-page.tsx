import { Center, Group, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, bodyOf, keyOf } from '../../api/client';
import { ProblemError } from '../../api/problem-error';
import { type Project, type Schemas, type Tile } from '../../api/types';
import { ProjectContext } from '../../address/project-context';
import { EmptyState } from '../../ui/empty-state';
import { formatTime } from '../../ui/format';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { DashboardTile } from './board/dashboard-tile';
import { TextTile } from './board/text-tile';
import { TileGrid } from './board/tile-grid';
import classes from './shared-page.module.css';

const path = '/api/shared_dashboard';
const refreshMs = 5 * 60_000;

/** The link opens the dashboard, not the cookie of a user who happens to be signed in. */
const anonymous = { credentials: 'omit' } as const;

const nothing = (): boolean => false;

/** A dashboard for people without an account, who have a link to it. It reads its numbers again by itself. */
export function SharedPage() {
  // Servers do not see this part of the address.
  const token = useLocation().hash;
  const body = { token };
  const dashboard = useQuery({
    queryKey: keyOf(path, token),
    queryFn: () => bodyOf(api.POST(path, { body, ...anonymous })),
    enabled: token !== '',
    refetchInterval: refreshMs,
  });
  const answers = useQuery({
    queryKey: keyOf(`${path}/answers`, token),
    queryFn: async () =>
      (await bodyOf<unknown>(api.POST(`${path}/answers`, { body, ...anonymous }))) as Schemas['DashboardAnswersDto'],
    enabled: dashboard.data !== undefined,
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  });
  const { timezone, week_start_day } = dashboard.data ?? {};
  const project = useMemo(
    () => ({ project: { id: 0, timezone, week_start_day } as Project, can: nothing }),
    [timezone, week_start_day],
  );

  const isGone = dashboard.error instanceof ProblemError && dashboard.error.isSignedOut;
  if (token === '' || dashboard.error) {
    return (
      <Center h="80vh" p="md" component="main">
        {token === '' && (
          <EmptyState title="This link is not complete">Ask for it again, and copy all of it.</EmptyState>
        )}
        {isGone && (
          <EmptyState title="This link shows nothing any more">
            It has expired or was revoked. Ask those who sent it for a new one.
          </EmptyState>
        )}
        {dashboard.error && !isGone && (
          <ProblemAlert error={dashboard.error} onRetry={() => void dashboard.refetch()} />
        )}
      </Center>
    );
  }
  if (!dashboard.data) return <Skeleton m="lg" h={200} role="status" aria-label="Loading the dashboard" />;
  const { name, description, expires_at } = dashboard.data;
  const tiles = dashboard.data.tiles.map(({ name: title, ...tile }): Tile & { readonly title: string } => ({
    ...{ ...tile, title, insight_id: tile.text ? 0 : tile.id, order: tile.position },
  }));
  return (
    <ProjectContext value={project}>
      <main className={classes.page}>
        <Page title={name} description={description === '' ? undefined : description}>
          {answers.error && <ProblemAlert error={answers.error} onRetry={() => void answers.refetch()} />}
          <TileGrid tiles={tiles} nameOf={titleOf} onChange={null}>
            {(tile) =>
              tile.text ? (
                <TextTile body={tile.text.body} grip={null} controls={null} />
              ) : (
                <DashboardTile
                  insight={{ id: tile.id, name: titleOf(tile), derived_name: '' }}
                  answer={answers.data?.results.find(({ tile_id }) => tile_id === tile.id) ?? null}
                  grip={null}
                  controls={null}
                  isShared
                />
              )
            }
          </TileGrid>
          <Group justify="space-between" gap="xs">
            <Text size="xs" c="dimmed">
              Numbers are read again every five minutes. The link works until{' '}
              {formatTime(expires_at, timezone ?? 'UTC')}.
            </Text>
            <Text size="xs" c="dimmed" fw={600}>
              Kohort
            </Text>
          </Group>
        </Page>
      </main>
    </ProjectContext>
  );
}

const titleOf = (tile: Tile): string => (tile as Tile & { readonly title?: string }).title ?? '';
