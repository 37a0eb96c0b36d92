import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { event } from '../../support/identity-events.js';
import { IdentityDatabase } from '../../support/identity-database.js';
import { membershipsSql } from '../../../src/cohorts/membership/memberships.sql.js';

let database: IdentityDatabase;

beforeAll(async () => {
  database = await IdentityDatabase.open(1);
});
afterAll(() => database.remove());

const countsOfPlans = `
  SELECT name, custom_plans::integer AS custom, generic_plans::integer AS generic
  FROM pg_prepared_statements WHERE name LIKE 'membership-%' ORDER BY name`;

describe('the statements about memberships', () => {
  it('are planned five times by a connection, not for each request', async () => {
    await database.receive(Array.from({ length: 300 }, (_, at) => event(`visitor-${at}`)));
    await database.pool.query('ANALYZE persons, person_distinct_ids');
    for (let at = 0; at < 12; at += 1) {
      const questions = [
        { idsAre: 'distinct ids', ids: [`visitor-${at}`] },
        { idsAre: 'persons', ids: [at + 1] },
        { idsAre: 'groups', ids: [at + 1] },
        { idsAre: 'actors of groups', ids: [at + 1] },
      ] as const;
      for (const question of questions)
        await database.pool.query(membershipsSql(database.projectId, { ...question, cohorts: [1] }));
    }
    expect((await database.pool.query(countsOfPlans)).rows).toEqual([
      { name: 'membership-of-actors-of-groups', custom: 5, generic: 7 },
      { name: 'membership-of-distinct-ids', custom: 5, generic: 7 },
      { name: 'membership-of-groups', custom: 5, generic: 7 },
      { name: 'membership-of-persons', custom: 5, generic: 7 },
    ]);
  });
});
