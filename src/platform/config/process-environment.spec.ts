import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from './config.js';
import { settingsInFiles } from './process-environment.js';

let dir: string;
let path: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'kohort-secrets-'));
  path = join(dir, 'password');
  writeFileSync(path, 'p@ss word\n');
});
afterAll(() => rmSync(dir, { recursive: true }));

describe('settings in files', () => {
  it('are what the files say that the variables with _FILE name', () => {
    expect(settingsInFiles({ DATABASE_PASSWORD_FILE: path, SSL_CERT_FILE: path, BACKUP_KEY_FILE: '' })).toEqual({
      DATABASE_PASSWORD: 'p@ss word',
    });
  });

  it('are refused by name where they are set twice or cannot be read, without what they say', () => {
    const env = { DATABASE_PASSWORD: 'other', DATABASE_PASSWORD_FILE: path, BACKUP_KEY_FILE: join(dir, 'absent') };
    const refusal = new ConfigError(
      `DATABASE_PASSWORD and DATABASE_PASSWORD_FILE are both set: leave one of them out\nBACKUP_KEY_FILE names a file that cannot be read, ${env.BACKUP_KEY_FILE}: ENOENT`,
    );
    expect(() => settingsInFiles(env)).toThrow(refusal);
  });
});
