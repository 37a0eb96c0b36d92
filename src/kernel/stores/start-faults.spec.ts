import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '../../platform/config/config.js';
import { ClickHouseMisconfigured, ClickHouseUnavailable } from '../../platform/clickhouse/errors.js';
import { ServerSilent } from '../../platform/postgres/connection.js';
import { dataDirFault, explaining } from '../../platform/embedded/data-dir-faults.js';
import { clickhouseUrlFault, databaseUrlFault, embeddedClickHouseFault } from './start-faults.js';

const failure = (code: string, message = code) => Object.assign(new Error(message), { code });
const postgres = databaseUrlFault(new URL('postgres://ada:hunter2@db/shop'));
const clickhouse = clickhouseUrlFault(new URL('http://ada:hunter2@ch:8123/shop'));

describe('a fault of the start', () => {
  it.each([
    [failure('ECONNREFUSED'), /^DATABASE_URL: no PostgreSQL answers at db:5432, nothing listens there: start it/],
    [failure('ENOTFOUND'), /the host name is not known/],
    [new Error('timeout exceeded when trying to connect'), /no answer in time/],
    [new ServerSilent(), /no answer in time/],
    [
      failure('28P01'),
      /^DATABASE_URL: PostgreSQL at db:5432 refuses the user "ada": correct the user or the password$/,
    ],
    [failure('3D000'), /^DATABASE_URL: PostgreSQL at db:5432 has no database "shop": create it$/],
    [failure('42501', 'permission denied for schema public'), /does not let "ada" do this: permission denied/],
    [failure('25006'), /^DATABASE_URL: PostgreSQL at db:5432 is read-only: name the primary/],
    [failure('57P03', 'the database system is starting up'), /PostgreSQL at db:5432 starts or ends at the moment/],
    [new Error('Connection terminated unexpectedly'), /PostgreSQL at db:5432 starts or ends at the moment/],
    [failure('26000'), /^DATABASE_URL: the pooler at db:5432 mixes up .* use PgBouncer 1\.21 or newer/],
    [failure('42P05'), /^DATABASE_URL: the pooler at db:5432 mixes up .* use PgBouncer 1\.21 or newer/],
    [Object.assign(new Error('wrapped'), { driverError: failure('ECONNREFUSED') }), /no PostgreSQL answers/],
  ])('of PostgreSQL, %s, is one line without the password', (error, line) => {
    expect(postgres(error)).toMatch(line);
    expect(postgres(error)).not.toMatch(/hunter2|\n/);
  });

  it.each([
    [
      new ClickHouseUnavailable('No ClickHouse answers at ch:8123'),
      /^CLICKHOUSE_URL: no ClickHouse answers at ch:8123: start it/,
    ],
    [new ClickHouseMisconfigured('ClickHouse 25.8 or newer is needed'), /^CLICKHOUSE_URL: ClickHouse 25.8 or newer/],
    [new ClickHouseMisconfigured('CLICKHOUSE_URL takes no ?parameters'), /^CLICKHOUSE_URL takes no/],
  ])('of ClickHouse, %s, is one line', (error, line) => {
    expect(clickhouse(error)).toMatch(line);
  });

  it.each([
    [failure('ENOSPC'), /^DATA_DIR \/data has no space left/],
    [new Error('initdb failed (1):\nfatal: No space left on device'), /^DATA_DIR \/data has no space left[^\n]*$/],
    [
      new ClickHouseUnavailable('cannot open', { cause: failure('243', 'Cannot reserve, not enough space') }),
      /no space left/,
    ],
    [
      new Error('/data/postgres was written by PostgreSQL 17'),
      /^DATA_DIR \/data\/postgres was written by PostgreSQL 17$/,
    ],
  ])('of the embedded stores, %s, names DATA_DIR', (error, line) => {
    expect(embeddedClickHouseFault('/data')(error)).toMatch(line);
  });

  it('is only a fault of the folder where nothing else is touched', () => {
    expect(dataDirFault('/data', { owns: true })(failure('EACCES'))).toMatch(
      /^DATA_DIR \/data cannot be read and written/,
    );
    expect(dataDirFault('/data')(failure('EACCES'))).toBeNull();
  });

  it('keeps the error of a defect, with its stack', async () => {
    const defect = new TypeError('x is not a function');
    await expect(explaining(() => Promise.reject(defect), postgres)).rejects.toBe(defect);
    await expect(explaining(() => Promise.reject(failure('3D000')), postgres)).rejects.toThrow(ConfigError);
  });
});
