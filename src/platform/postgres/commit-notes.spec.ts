import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommitNotes, currentNotes, notingCommits } from './transaction.js';
import { pgSql } from './sql.js';

const notes = (): CommitNotes => ({ note: () => pgSql`SELECT 1`, noted: pgSql`SELECT 1` });

describe('the notes of a request', () => {
  it('are found by its work, also when another request ends meanwhile', async () => {
    const [short, long] = [notes(), notes()];
    const found = await Promise.all([
      notingCommits(short, () => Promise.resolve(currentNotes())),
      notingCommits(long, async () => {
        await sleep(10);
        return currentNotes();
      }),
    ]);
    expect(found.map((each) => [short, long].findIndex((own) => own === each))).toEqual([0, 1]);
    expect(currentNotes()).toBeNull();
  });

  it('are not found by background work behind its end, also while another request runs', async () => {
    let background: Promise<CommitNotes | null> = Promise.resolve(null);
    const other = notingCommits(notes(), () => sleep(30));
    await notingCommits(notes(), () => {
      background = sleep(10).then(() => currentNotes());
      return Promise.resolve();
    });
    expect(await background).toBeNull();
    await other;
  });
});
