import { Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { memo, Suspense, useDeferredValue, useEffect, useMemo } from 'react';
import { ProblemError } from '../api/problem-error';
import { ProblemAlert } from '../ui/problem-alert';
import { accountQuery, projectQuery } from '../api/accounts';
import { Blank } from '../ui/fallbacks';
import { Mark } from '../ui/mark';
import classes from './frame.module.css';
import { Navigation } from './navigation';
import { ProjectContext } from '../address/project-context';
import { SearchButton } from './search/search-button';
import { ProjectSwitcher } from './project-switcher';
import { UserMenu } from './user-menu';

const mayIn = (scopes: readonly string[], scope: string): boolean =>
  scopes.includes('*') ||
  scopes.includes(scope) ||
  (scope.endsWith(':read') && scopes.includes(scope.replace(/:read$/, ':write')));

/** The frame of all pages of a project. */
export function ProjectLayout() {
  const { projectId } = useParams({ from: '/p/$projectId' });
  const [isOpen, { toggle, close }] = useDisclosure();
  const { path, href } = useRouterState({
    select: ({ location: { pathname, href } }) => ({ path: pathname, href }),
  });
  useEffect(close, [path, close]);
  useEffect(() => localStorage.setItem('kohort.project', projectId), [projectId]);

  const account = useQuery(accountQuery);
  const project = useQuery(projectQuery(projectId));

  const opened = useMemo(() => {
    if (!project.data || !account.data) return null;
    const { is_owner, projects } = account.data;
    const scopes = is_owner ? ['*'] : (projects.find(({ id }) => String(id) === projectId)?.scopes ?? []);
    return {
      project: project.data,
      can: (scope: string) => mayIn(scopes, scope),
    };
  }, [project.data, account.data, projectId]);
  // The page below is drawn in short pieces, between which the browser can answer.
  const open = useDeferredValue(opened);

  const error = account.error ?? project.error;
  if (error instanceof ProblemError && error.isSignedOut) return <LeadTo address="/sign-in" from={href} />;
  // The first page says what a user without any project can do.
  if (project.error && account.data?.projects.length === 0) return <LeadTo address="/" />;

  return (
    <div className={classes.frame}>
      <a
        className={classes.skip}
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to content
      </a>
      <header className={classes.header}>
        <Group h="100%" gap="sm" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={isOpen ? 'Close the menu' : 'Open the menu'} />
          <Mark size={22} />
          <Text fw={650} truncate miw={0}>
            {project.data?.name ?? 'Kohort'}
          </Text>
        </Group>
      </header>
      <nav className={classes.list} data-open={isOpen || undefined}>
        <Link to="/p/$projectId/overview" params={{ projectId }} className={`mantine-focus-auto ${classes.brand}`}>
          <Mark size={24} />
          Kohort
        </Link>
        <ProjectSwitcher projectId={projectId} />
        <div className={classes.pages}>
          {open && (
            <ProjectContext value={open}>
              <SearchButton projectId={projectId} />
            </ProjectContext>
          )}
          <Navigation projectId={projectId} />
        </div>
        <UserMenu user={account.data ?? null} />
      </nav>
      <main id="main" tabIndex={-1} className={classes.main}>
        {error ? (
          <ProblemAlert error={error} onRetry={() => void Promise.all([account.refetch(), project.refetch()])} />
        ) : open ? (
          <ProjectContext value={open}>
            <Suspense fallback={<Blank />}>
              <Outlet />
            </Suspense>
          </ProjectContext>
        ) : (
          <Blank />
        )}
      </main>
    </div>
  );
}

/** Leads to another page once: the address changes before this page is gone, and must not be followed again. */
const LeadTo = memo(
  function LeadTo({ address, from }: { readonly address: '/' | '/sign-in'; readonly from?: string }) {
    const navigate = useNavigate();
    useEffect(
      () =>
        void navigate({
          to: address,
          ...(from === undefined ? {} : { search: { return: from } }),
          replace: true,
        }),
      [address, from, navigate],
    );
    return <Blank />;
  },
  () => true,
);
