import { queryClient } from '../api/query-client';
import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { accountQuery, projectQuery, projectsQuery } from '../api/accounts';
import { Blank, Crashed, NotFound } from '../ui/fallbacks';
import { HomePage } from './home-page';
import { lazyPage } from '../ui/later';
import { ProjectLayout } from './project-layout';
import { readQuestion } from '../address/search';
import { Root } from './root';
import { loadInsightKind } from '../insights/kinds';
import { OverviewPage } from '../pages/overview/overview-page';
import { topEventsQuery } from '../pages/overview/overview-queries';
import { hasEventsQuery, liveSummaryQuery } from '../pages/live/live-queries';

const rootRoute = createRootRoute({ component: Root, errorComponent: Crashed, notFoundComponent: NotFound });

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: HomePage,
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: lazyPage(() => import('../pages/sign-in/sign-in-page'), 'SignInPage'),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyPage(() => import('../pages/sign-in/invitation-page'), 'InvitationPage'),
});

/** The token of the link is behind `#`. */
const sharedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/shared',
  component: lazyPage(() => import('../pages/saved/shared-page'), 'SharedPage'),
});

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$projectId',
  component: ProjectLayout,
  // Requests what every page needs while its code is still on the way.
  loader: ({ params: { projectId } }) => {
    void queryClient.prefetchQuery(accountQuery);
    void queryClient.prefetchQuery(projectQuery(projectId));
    void queryClient.prefetchQuery(projectsQuery);
  },
  errorComponent: Crashed,
  notFoundComponent: NotFound,
});

const firstPageRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router's own way to redirect
    throw redirect({ to: '/p/$projectId/overview', params });
  },
});

const overviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'overview',
  validateSearch: readQuestion,
  // Comes with the first files: most visits begin with this page.
  component: OverviewPage,
  loader: ({ params: { projectId } }) => {
    void queryClient.prefetchQuery(topEventsQuery(projectId));
  },
});

const liveRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'live',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/live/live-page'), 'LivePage'),
  loader: ({ params: { projectId } }) => {
    void queryClient.prefetchQuery(liveSummaryQuery(projectId));
    void queryClient.prefetchQuery(hasEventsQuery(projectId));
  },
});

const personsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'persons',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/persons/persons-page'), 'PersonsPage'),
});

const personRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'persons/$personId',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/persons/person-page'), 'PersonPage'),
});

const accountsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'accounts',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/accounts/accounts-page'), 'AccountsPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'accounts/$accountId',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/accounts/account-page'), 'AccountPage'),
});

const cohortsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'cohorts',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/cohorts/list/cohorts-page'), 'CohortsPage'),
});

/** `new` instead of an id opens the builder with nothing in it, `compare` two cohorts side by side. */
const cohortRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'cohorts/$cohortId',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/cohorts/cohort-page'), 'CohortPage'),
});

/** The kind is trends, funnel, retention, paths, lifecycle, stickiness or correlation; the search part holds the whole question. */
const insightRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'insights/$kind',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/insights/insight-page'), 'InsightPage'),
  loader: ({ params: { kind } }) => loadInsightKind(kind),
});

const firstInsightRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'insights',
  beforeLoad: ({ params }) => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router's own way to redirect
    throw redirect({ to: '/p/$projectId/insights/$kind', params: { ...params, kind: 'trends' }, replace: true });
  },
});

const savedRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'saved',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/saved/saved-page'), 'SavedPage'),
});

const dashboardRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'dashboards/$dashboardId',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/saved/dashboard-page'), 'DashboardPage'),
});

const alertsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'alerts',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/alerts/alerts-page'), 'AlertsPage'),
});

/** `new` instead of an id opens the editor with nothing in it. */
const alertRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'alerts/$alertId',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/alerts/alert-page'), 'AlertPage'),
});

const flagsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'flags',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/flags/flags-page'), 'FlagsPage'),
});

/** `new` instead of an id opens the editor with nothing in it. */
const flagRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'flags/$flagId',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/flags/flag-page'), 'FlagPage'),
});

const sqlRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'sql',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/sql/sql-page'), 'SqlPage'),
});

const catalogueRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'catalogue',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/catalogue/catalogue-page'), 'CataloguePage'),
});

const firstSettingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'settings',
  beforeLoad: ({ params }) => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router's own way to redirect
    throw redirect({ to: '/p/$projectId/settings/$section', params: { ...params, section: 'project' }, replace: true });
  },
});

const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'settings/$section',
  validateSearch: readQuestion,
  component: lazyPage(() => import('../pages/settings/settings-page'), 'SettingsPage'),
});

const routeTree = rootRoute.addChildren([
  homeRoute,
  signInRoute,
  invitationRoute,
  sharedRoute,
  projectRoute.addChildren([
    firstPageRoute,
    overviewRoute,
    liveRoute,
    personsRoute,
    personRoute,
    accountsRoute,
    accountRoute,
    cohortsRoute,
    cohortRoute,
    firstInsightRoute,
    insightRoute,
    savedRoute,
    dashboardRoute,
    alertsRoute,
    alertRoute,
    flagsRoute,
    flagRoute,
    sqlRoute,
    catalogueRoute,
    firstSettingsRoute,
    settingsRoute,
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingComponent: Blank,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
