import { describe, expect, it } from '@jest/globals';
import { nearestRoute, routesBelow } from './nearest-route.js';

const routes = [
  '/flags',
  '/e',
  '/v1/:type',
  '/api/projects',
  '/api/projects/:project_id',
  '/api/projects/:project_id/persons',
  '/api/projects/:project_id/persons/:id',
  '/api/projects/:project_id/persons/funnel',
  '/api/projects/:project_id/cohorts/:id/persons',
  '/api/projects/:project_id/events',
  '/api/projects/:project_id/events/:uuid',
  '/api/projects/:project_id/catalogue/events',
];

describe('the routes below a path', () => {
  it.each([
    ['/api/projects/1/export', ['/api/projects/1/export/events', '/api/projects/1/export/persons']],
    ['/v1', ['/v1/{type}']],
    ['/api/projects/1/exports', []],
    ['/api', []],
    ['/', []],
  ])('%s are %j', (path, below) => {
    const more = ['/api/users', '/api/sessions', '/api/keys'];
    const exports = ['/api/projects/:project_id/export/events', '/api/projects/:project_id/export/persons'];
    expect(routesBelow(path, [...routes, ...exports, ...more])).toEqual(below);
  });
});

describe('the nearest route', () => {
  it.each([
    ['/api/project/1', '/api/projects/1'],
    ['/api/project', '/api/projects'],
    ['/persons/', '/api/projects/{project_id}/persons'],
    ['/api/persons', '/api/projects/{project_id}/persons'],
    ['/api/event', '/api/projects/{project_id}/events'],
    ['/api/v1/projects', '/api/projects'],
    ['/v2/persons', '/api/projects/{project_id}/persons'],
    ['/api/projects/1/people', '/api/projects/1/persons'],
    ['/api/projects/1/cohorts/3/members', '/api/projects/1/cohorts/3/persons'],
    ['/projects/7/persons', '/api/projects/7/persons'],
    ['/api/teams/1/persons', '/api/projects/1/persons'],
    ['/api/projects/1/person', '/api/projects/1/persons'],
    ['/api/projects/1/person/5', '/api/projects/1/persons/5'],
    ['/api/projects/1/funnel', '/api/projects/1/persons/funnel'],
    ['/api/projects/1/insights/funnel', '/api/projects/1/persons/funnel'],
    ['/api/projects/1/cohorts/3/person', '/api/projects/1/cohorts/3/persons'],
    ['/api/projects/1/query', null],
    ['/nowhere/at/all', null],
    ['/x', null],
    ['/', null],
    ['/a'.repeat(50), null],
    [`/api/${'x'.repeat(1000)}`, null],
  ])('to %s is %s', (path, route) => {
    expect(nearestRoute(path, routes)).toBe(route);
  });
});
