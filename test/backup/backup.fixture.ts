import { expect } from '@jest/globals';
import { entities } from '../../src/app/entities.js';
import { StorageFault } from '../../src/platform/objects/object-store.js';
import { connect } from '../../src/kernel/stores/open-postgres.js';
import { freshStores } from '../support/fresh-stores.js';

export type Connected = Awaited<ReturnType<typeof connect>> & { readonly url: URL };

/** Databases that are removed together. */
export const databases = () => {
  const closers: (() => Promise<void>)[] = [];
  const open = async (): Promise<Connected> => {
    const stores = await freshStores();
    const connected = await connect(stores.databaseUrl, entities, { poolSize: 4 });
    closers.push(async () => {
      await connected.dataSource.destroy();
      await stores.remove();
    });
    return { ...connected, url: stores.databaseUrl };
  };
  /** A database without any table. */
  const openBare = async (): Promise<Connected> => {
    const connected = await open();
    await connected.postgres.query('DROP SCHEMA public CASCADE');
    await connected.postgres.query('CREATE SCHEMA public');
    return connected;
  };
  const close = async (): Promise<void> => {
    for (const closer of closers.reverse()) await closer();
  };
  return { open, openBare, close };
};

export const addPerson = async ({ postgres }: Connected, projectId: number, name: string): Promise<void> => {
  await postgres.query(
    `WITH person AS (
       INSERT INTO persons (project_id, uuid, properties, is_identified, created_at)
       VALUES ($1, gen_random_uuid(), $2, true, now()) RETURNING id)
     INSERT INTO person_distinct_ids (project_id, distinct_id, person_id) SELECT $1, $3, id FROM person`,
    [projectId, JSON.stringify({ name, price: 1.5, list: [null, { a: '🙂' }] }), name],
  );
};

/** The number of rows of each table, and a digest of them. */
export const contents = async ({ postgres }: Connected, names: readonly string[]): Promise<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const name of names) {
    const { rows } = await postgres.query<{ text: string }>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS text FROM "${name}" AS t`,
    );
    found[name] = rows[0]?.text ?? '';
  }
  return found;
};

export const fault = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StorageFault);
  return (error as Error).message;
};
