import { describe, expect, it } from '@jest/globals';
import { backupsUntil } from './backups-until.js';

const verifiedAt = new Date('2026-01-05T10:00:00Z');
const backups = { to: '/backups', schedule: '0 3 * * *', keep: 3 };
const walArchive = { folder: '/archive', days: 4 };

describe('backups that have deleted events', () => {
  it.each([
    ['none', { backups: null, walArchive: null }, null],
    ['the third after the next three nights', { backups, walArchive: null }, '2026-01-08T03:00:00.000Z'],
    ['the archive after four days and half of them', { backups: null, walArchive }, '2026-01-11T10:00:00.000Z'],
    ['the later of both', { backups: { ...backups, keep: 10 }, walArchive }, '2026-01-15T03:00:00.000Z'],
  ])('are gone: %s', (_, config, until) => {
    expect(backupsUntil(verifiedAt, config)?.toISOString() ?? null).toBe(until);
  });
});
