import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { endOfDay, inZone, startOfDay } from '../../platform/time/intervals.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type CohortHistoryDto, type CohortDayDto } from './history.dto.js';
import { PastMembers } from '../../kernel/memberships/past-members.js';

interface DayRow {
  readonly day: string;
  readonly entered: number;
  readonly went: number;
}

/** Answers how many persons were in a cohort at the end of each day, and how many entered and left during the day. */
@Injectable()
export class SizeHistory {
  constructor(
    private readonly postgres: Postgres,
    private readonly past: PastMembers,
  ) {}

  read(project: ProjectContext, cohortId: number, days: number, now: Date): Promise<CohortHistoryDto> {
    return this.postgres.transaction(
      async (client) => {
        const { since } = await this.past.recorded(project, cohortId, client);
        const today = startOfDay(inZone(now, project));
        const first = today.minus({ days: days - 1 });
        const [id, cohort] = [bound(project.id), bound(cohortId)];
        const sizes = await client.query<{ size: number }>(
          pgSql`SELECT coalesce(sum(bit_count(bits)), 0)::integer AS size FROM cohort_member_chunks
           WHERE project_id = ${id} AND cohort_id = ${cohort}`,
        );
        const { rows } = await client.query<DayRow>(
          pgSql`SELECT to_char(at AT TIME ZONE ${bound(project.timezone)}, 'YYYY-MM-DD') AS day,
             coalesce(sum(count) FILTER (WHERE entered), 0)::integer AS entered,
             coalesce(sum(count) FILTER (WHERE NOT entered), 0)::integer AS went
           FROM cohort_changes
           WHERE project_id = ${id} AND cohort_id = ${cohort} AND at >= ${bound(startOfDay(first).toJSDate())} GROUP BY 1`,
        );
        const changed = new Map(rows.map((row) => [row.day, row]));
        let size = sizes.rows[0]?.size ?? 0;
        const results: CohortDayDto[] = [];
        for (let day = today; day >= first && endOfDay(day).toJSDate() >= since; day = day.minus({ days: 1 })) {
          const { entered = 0, went = 0 } = changed.get(day.toISODate() ?? '') ?? {};
          results.unshift({ date: day.toISODate() ?? '', size, entered, left: went });
          size -= entered - went;
        }
        return { results, timezone: project.timezone, known_from: since.toISOString() };
      },
      { snapshot: true },
    );
  }
}
