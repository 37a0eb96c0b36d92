import { type Pool } from 'pg';
import { type DataSource } from 'typeorm';

/** The driver's own pool, for hot paths that want prepared statements by name. TypeORM types it as any. */
export const pgPool = (dataSource: DataSource): Pool => (dataSource.driver as unknown as { master: Pool }).master;
