import { pgSql } from '../../platform/postgres/sql.js';

/** The user `u` in the shape of the API; NULL if the join found none. */
export const userJson = pgSql`
  CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'uuid', u.uuid, 'distinct_id', u.distinct_id,
    'first_name', u.first_name, 'last_name', u.last_name, 'email', u.email,
    'is_email_verified', u.is_email_verified, 'hedgehog_config', u.hedgehog_config) END`;
