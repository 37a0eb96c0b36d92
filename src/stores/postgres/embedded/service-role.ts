import pg from 'pg';
import { adminName } from './admin.js';
import { databaseName, userName } from './connection.js';

const createServiceRole = (password: string): string =>
  `CREATE ROLE ${userName} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD ${pg.escapeLiteral(password)}`;

/** The statements that a cluster needs after initdb; one per line, as PostgreSQL's single-user mode reads them. */
export const serviceRoleAndDatabase = (password: string): string =>
  `${createServiceRole(password)};\nCREATE DATABASE ${databaseName} OWNER ${userName};\n`;

/** Clusters of earlier releases have only the role that initdb created, which always has this oid. */
export const isInitialSuperuser = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query<{ initial: boolean }>(
    'SELECT oid = 10 AS initial FROM pg_roles WHERE rolname = session_user',
  );
  return rows[0]?.initial === true;
};

/**
 * Renames the superuser that initdb created, and gives its former name, its database and the objects in it to a role
 * without privileges. The client is connected to that database as the superuser. It is one transaction: a killed server
 * has done all or nothing.
 */
export const replaceSuperuser = async (
  client: pg.Client,
  passwords: { readonly service: string; readonly admin: string },
): Promise<void> => {
  const statements = [
    'BEGIN',
    // The statements contain passwords.
    'SET LOCAL log_statement = none',
    'SET LOCAL log_min_duration_statement = -1',
    "SET LOCAL password_encryption = 'scram-sha-256'",
    // A session cannot rename its own role.
    'CREATE ROLE kohort_rename SUPERUSER',
    'SET LOCAL SESSION AUTHORIZATION kohort_rename',
    `ALTER ROLE ${userName} RENAME TO ${adminName}`,
    'RESET SESSION AUTHORIZATION',
    'DROP ROLE kohort_rename',
    `ALTER ROLE ${adminName} PASSWORD ${pg.escapeLiteral(passwords.admin)}`,
    createServiceRole(passwords.service),
    `ALTER DATABASE ${databaseName} OWNER TO ${userName}`,
    changeOwners,
    'COMMIT',
  ];
  for (const statement of statements) await client.query(statement);
};

/**
 * PostgreSQL refuses REASSIGN OWNED for the role that initdb created. Extensions stay with the superuser; sequences of a
 * column, and the types of arrays and rows, follow the object they belong to.
 */
const changeOwners = `DO $$
DECLARE command text;
BEGIN
  FOR command IN
    WITH user_schemas AS (
      SELECT oid FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
    ), owned AS (
      SELECT 'pg_namespace'::regclass AS catalog, oid FROM pg_namespace
      WHERE nspowner = 10 AND oid IN (SELECT oid FROM user_schemas)
      UNION ALL
      SELECT 'pg_class'::regclass, c.oid FROM pg_class c
      WHERE relowner = 10 AND relnamespace IN (SELECT oid FROM user_schemas) AND (
        relkind IN ('r', 'p', 'v', 'm')
        OR relkind = 'S' AND NOT EXISTS (
          SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype IN ('a', 'i')))
      UNION ALL
      SELECT 'pg_type'::regclass, t.oid FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
      WHERE typowner = 10 AND typnamespace IN (SELECT oid FROM user_schemas)
        AND (typtype IN ('d', 'e', 'r') OR c.relkind = 'c')
      UNION ALL
      SELECT 'pg_proc'::regclass, oid FROM pg_proc
      WHERE proowner = 10 AND pronamespace IN (SELECT oid FROM user_schemas)
    )
    SELECT format('ALTER %s %s OWNER TO ${userName}', identified.type, identified.identity)
    FROM owned, pg_identify_object(owned.catalog, owned.oid, 0) AS identified
    WHERE NOT EXISTS (
      SELECT FROM pg_depend d WHERE d.classid = owned.catalog AND d.objid = owned.oid AND d.deptype = 'e')
  LOOP
    EXECUTE command;
  END LOOP;
END $$`;
