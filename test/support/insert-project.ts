import { type Pool } from 'pg';

/** Returns the id. */
export const insertProject = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO projects (uuid, name, api_token, timezone, week_start_day, person_display_name_properties,
       test_account_filters, path_cleaning_filters, created_at)
     VALUES (gen_random_uuid(), 'Test', 'phc_' || gen_random_uuid(), 'UTC', 0, '[]', '[]', '[]', now()) RETURNING id`,
  );
  return rows[0]?.id ?? 0;
};
