import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../platform/config/config.js';
import { newLinkCommand } from './first-start.js';

const url = 'http://localhost:38473';
const command = 'npm run -s cli -- user sign-in-link';
const servers = { CLICKHOUSE_URL: 'http://ch:8123/kohort', DATA_DIR: '/srv/kohort' };

describe('the command for a new link', () => {
  it('names the folder of the installation, also the usual one, because the terminal may be in another folder', () => {
    expect(newLinkCommand(loadConfig({}), 'http://localhost:3000')).toBe(`DATA_DIR=${process.cwd()}/data ${command}`);
    expect(newLinkCommand(loadConfig({ DATA_DIR: '/srv/it is' }), url)).toBe(
      `DATA_DIR='/srv/it is' PORT=38473 ${command}`,
    );
  });

  it.each([
    ['postgres://kohort@db/kohort', "'postgres://kohort@db/kohort'"],
    ['postgres://kohort:Zx81@db:5433/kohort?sslmode=require', "'postgres://kohort:***@db:5433/kohort?sslmode=require'"],
    [
      'postgres://kohort:Zx81@db1,db2:5433/kohort?password=Zx81',
      "'postgres://kohort:***@db1,db2:5433/kohort?password=***'",
    ],
  ])('names the database without its password: %s', (databaseUrl, shown) => {
    const config = loadConfig({ ...servers, DATABASE_URL: databaseUrl });
    expect(newLinkCommand(config, url)).toBe(`DATABASE_URL=${shown} DATA_DIR=/srv/kohort PORT=38473 ${command}`);
  });
});
