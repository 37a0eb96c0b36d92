import { describe, expect, it } from '@jest/globals';
import { projectsOf } from './projects-of.js';

const ofProjects = new Set(['events', 'persons', 'cohorts']);
const read = (text: string) => projectsOf(text, (table) => ofProjects.has(table));
const unbound = async (text: string) => (await read(text)).unbound;

describe('the tables of projects whose project a statement leaves open', () => {
  it.each([
    ['SELECT * FROM events WHERE project_id = $1 AND uuid = $2'],
    [
      'SELECT * FROM events e JOIN persons p ON p.project_id = e.project_id AND p.id = e.person WHERE e.project_id = $1',
    ],
    ['SELECT * FROM events JOIN persons USING (project_id, id) WHERE events.project_id = $1::integer'],
    ['SELECT * FROM persons p WHERE (p.project_id, p.id) = ($1, $2)'],
    [
      'SELECT * FROM persons p WHERE p.project_id = $1 AND EXISTS (SELECT FROM events e WHERE e.project_id = p.project_id)',
    ],
    ['SELECT * FROM persons WHERE (project_id, id) IN (SELECT project_id, person FROM events WHERE project_id = $1)'],
    [
      'WITH e AS (SELECT project_id FROM events WHERE project_id = $1) SELECT * FROM persons p JOIN e ON e.project_id = p.project_id',
    ],
    [
      'WITH gone AS (DELETE FROM events WHERE project_id = $1 RETURNING project_id, uuid) UPDATE persons p SET a = 1 FROM gone g WHERE p.project_id = g.project_id',
    ],
    ['INSERT INTO events (project_id, uuid) SELECT $1, u FROM unnest($2::uuid[]) u ON CONFLICT DO NOTHING'],
    [
      'UPDATE persons SET a = (SELECT max(a) FROM events WHERE events.project_id = persons.project_id) WHERE project_id = 7',
    ],
    ['SELECT 1 FROM persons WHERE project_id = $1 UNION ALL SELECT 2 FROM events WHERE project_id = $1'],
    ['SELECT * FROM users'],
  ])('are none: %s', async (text) => {
    expect(await unbound(text)).toEqual([]);
  });

  it.each([
    ['SELECT * FROM events WHERE uuid = $1', ['events']],
    ['SELECT * FROM events WHERE project_id = $1 OR uuid = $2', ['events']],
    ['SELECT * FROM events WHERE project_id = ANY($1)', ['events']],
    ['SELECT * FROM events WHERE project_id > $1', ['events']],
    ['SELECT * FROM events e JOIN persons p ON p.id = e.person WHERE e.project_id = $1', ['persons']],
    [
      'SELECT * FROM persons WHERE project_id = $1 AND EXISTS (SELECT FROM events WHERE person = persons.id)',
      ['events'],
    ],
    ['SELECT 1 FROM persons WHERE project_id = $1 UNION ALL SELECT 2 FROM events', ['events']],
    [
      'WITH e AS (SELECT project_id FROM events) SELECT * FROM persons p, e WHERE e.project_id = p.project_id',
      ['events', 'persons'],
    ],
    ['INSERT INTO persons (id) VALUES ($1)', ['persons']],
    ['INSERT INTO persons (project_id, id) SELECT project_id, person FROM events', ['events']],
    ['DELETE FROM events USING persons WHERE persons.project_id = $1', ['events']],
  ])('are named: %s', async (text, tables) => {
    expect(await unbound(text)).toEqual(tables);
  });
});

describe('a statement', () => {
  it.each([
    ['SELECT * FROM events WHERE project_id = $1', true],
    ['SELECT * FROM events e JOIN persons p ON p.project_id = e.project_id WHERE $1 = e.project_id', true],
    ['INSERT INTO events (project_id) SELECT $1', false],
    ['SELECT * FROM events WHERE project_id = ANY($1)', false],
    ['SELECT * FROM events e JOIN persons p USING (project_id) WHERE e.uuid = $1 AND 1 = $2', false],
  ])('names a project where it compares one with a value: %s, %s', async (text, names) => {
    expect((await read(text)).namesProject).toBe(names);
  });
});
