import { dayOf } from '../quota/event-days.js';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Postgres } from '../../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { Workers } from '../../../platform/work/workers.js';

const sweepEveryMs = 10 * 60_000;
const saltBytes = 32;
const dayMs = 86_400_000;

/**
 * Keeps the salt of the present day, in UTC, which the first process that needs it makes. A process forgets it when the day ends,
 * and the row is removed within ten minutes: from then on, the ids that were made with it cannot be computed again.
 */
@Injectable()
export class CookielessSalts {
  private known: { readonly day: string; readonly salt: Buffer } | null = null;

  constructor(
    workers: Workers,
    private readonly postgres: Postgres,
  ) {
    workers.every(sweepEveryMs, {
      name: 'cookieless salts',
      task: 'cookieless_salts',
      warning: 'salts of earlier days could not be removed and are removed later',
      run: () => this.sweep(this.postgres.clock.now()),
    });
  }

  async of(now: Date): Promise<Buffer> {
    const day = dayOf(now);
    if (this.known?.day === day) return this.known.salt;
    const salt = await this.read(day);
    this.known = { day, salt };
    setTimeout(() => this.forget(day), dayMs - (now.getTime() % dayMs)).unref();
    return salt;
  }

  private forget(day: string): void {
    if (this.known?.day === day) this.known = null;
  }

  /** Removes the salts of earlier days, from the file of the table too. */
  async sweep(now: Date): Promise<void> {
    const today = dayOf(now);
    if (this.known !== null && this.known.day < today) this.known = null;
    const { rowCount } = await this.postgres.query(
      pgSql`DELETE FROM cookieless_salts WHERE day < ${bound(today)}::date`,
    );
    if (rowCount) await this.postgres.query('VACUUM cookieless_salts');
  }

  private async read(day: string): Promise<Buffer> {
    await this.postgres.query(
      pgSql`INSERT INTO cookieless_salts (day, salt) VALUES (${bound(day)}::date, ${bound(randomBytes(saltBytes))})
       ON CONFLICT DO NOTHING`,
    );
    const { rows } = await this.postgres.query<{ salt: Buffer }>(
      pgSql`SELECT salt FROM cookieless_salts WHERE day = ${bound(day)}::date`,
    );
    if (!rows[0]) throw new Error('the salt of the day was removed before its day ended');
    return rows[0].salt;
  }
}
