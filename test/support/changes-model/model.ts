import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CohortChangesDto, type CohortGroupChangesDto } from '../../../src/cohorts/changes/changes.dto.js';
import { type CohortHistoryDto } from '../../../src/cohorts/changes/history.dto.js';
import { type MembershipsDto } from '../../../src/cohorts/membership/membership.dto.js';
import { type Random } from '../../../src/app/demo/random.js';
import { type CohortsOf } from '../cohorts/cohorts-of.js';
import { type ActorKind } from '../cohorts/subjects.js';

/** A reader of the feed: the members by what it has read, and where it goes on. */
interface Reader {
  readonly members: Set<number>;
  cursor: string;
}

/** The members of a cohort at a moment, by the reader that has read everything. */
interface Past {
  readonly at: string;
  readonly cohort: number;
  readonly members: readonly number[];
  readonly cursor: string;
}

/** A reader of an older moment reads all that came later, which a long run has not the time to do each time. */
const recentMoments = 50;
const rarely = 0.05;

/** Compares the feeds of some cohorts, all of persons or all of groups, with their lists of members. */
export class ChangesModel {
  private readonly readers = new Map<number, Reader>();
  private readonly past: Past[] = [];
  /** The changes that were read, of all cohorts. */
  changes = 0;
  readonly reasons = new Set<string>();

  constructor(
    private readonly of: CohortsOf,
    private readonly cohorts: readonly number[],
    private readonly random: Random,
    private readonly kind: ActorKind,
  ) {}

  /** What the feed has reported makes the list of members; an older reader and a new one come to the same. */
  async check(): Promise<void> {
    for (const cohort of this.cohorts) {
      const reader = this.readers.get(cohort) ?? (await this.begun(cohort));
      this.readers.set(cohort, reader);
      await this.follow(cohort, reader);
      expect([cohort, sorted(reader.members)]).toEqual([cohort, await this.listed(cohort)]);
    }
    const cohort = this.random.pick(this.cohorts);
    const { members, cursor } = this.readers.get(cohort) as Reader;
    const at = await moment();
    this.past.push({ at, cohort, members: sorted(members), cursor });
    expect([cohort, sorted((await this.begun(cohort)).members)]).toEqual([cohort, sorted(members)]);
    const recent = this.past.slice(-recentMoments);
    await this.checkPast(this.random.pick(this.random.chance(rarely) ? this.past : recent));
  }

  private async checkPast({ at, cohort, members, cursor }: Past): Promise<void> {
    const older: Reader = { members: new Set(members), cursor };
    await this.follow(cohort, older);
    expect(sorted(older.members)).toEqual(sorted((this.readers.get(cohort) as Reader).members));
    expect([cohort, at, await this.listed(cohort, { as_of: at })]).toEqual([
      cohort,
      at,
      await this.nowOf(members, cohort),
    ]);
  }

  /** The sizes of all days follow from who entered and left. */
  async checkHistory(): Promise<void> {
    for (const cohort of this.cohorts) {
      const { body } = await this.of.call('GET', `cohorts/${cohort}/history`, { query: { days: 3 } });
      const { results } = body as CohortHistoryDto;
      const sum = results.reduce((size, { entered, left }) => size + entered - left, 0);
      const size = (this.readers.get(cohort) as Reader).members.size;
      expect([cohort, results.at(-1)?.size, sum]).toEqual([cohort, size, size]);
    }
  }

  private async begun(cohort: number): Promise<Reader> {
    const reader: Reader = { members: new Set(), cursor: '' };
    await this.follow(cohort, reader);
    return reader;
  }

  /** Reads to the end; nobody may enter twice, or leave without being in. */
  private async follow(cohort: number, reader: Reader): Promise<void> {
    for (let page = 0, more = true; more; page += 1) {
      // What is long is read in long pages, once some short ones have been seen to fit together.
      const limit = page < 5 ? this.random.between(1, 40) : 10_000;
      const query = { limit, ...(reader.cursor === '' ? {} : { after: reader.cursor }) };
      const route = this.kind === 'person' ? 'changes' : 'group_changes';
      const { status, body } = await this.of.call('GET', `cohorts/${cohort}/${route}`, { query });
      expect([status, body]).toEqual([200, body]);
      const { results, cursor, has_more: hasMore } = body as CohortChangesDto | CohortGroupChangesDto;
      for (const each of results) {
        const { change, reason } = each;
        const { id } = 'person' in each ? each.person : each.group;
        const isNew = !reader.members.has(id);
        expect([cohort, change, reason, id, isNew]).toEqual([cohort, change, reason, id, change === 'entered']);
        if (change === 'entered') reader.members.add(id);
        else reader.members.delete(id);
      }
      this.changes += results.length;
      for (const { reason } of results) this.reasons.add(reason);
      reader.cursor = cursor;
      more = hasMore;
    }
  }

  private async listed(cohort: number, query: Record<string, string> = {}): Promise<number[]> {
    const all = { limit: 1000, ...query };
    const listed = this.kind === 'person' ? this.of.members(cohort, all) : this.of.groups(cohort, all);
    return (await listed).map(({ id }) => id).sort((a, b) => a - b);
  }

  /** The members of then as they are now: merged ones are others, deleted ones are gone. */
  private async nowOf(members: readonly number[], cohort: number): Promise<number[]> {
    if (members.length === 0) return [];
    const body = { [`${this.kind}_ids`]: members, cohorts: [cohort] };
    const answer = await this.of.call('POST', 'cohorts/membership', { body });
    const { results } = answer.body as MembershipsDto;
    return sorted(new Set(results.flatMap(({ person_id: person, group_id: group }) => person ?? group ?? [])));
  }
}

const sorted = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

/** Between what was done before and what is done next. */
const moment = async (): Promise<string> => {
  await sleep(3);
  const at = new Date().toISOString();
  await sleep(3);
  return at;
};
