import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type TimeRange } from '../../platform/time/range.js';
import { ActorPages, type ActorRow } from '../shared/actor-pages.js';
import { QuestionScopes, type QuestionScope } from '../shared/question-scopes.js';
import { Questions } from '../../filters/asking/questions.js';
import { type ActivePersonsDto, type LiveEventCountDto, type LiveSummaryDto } from './live-summary.dto.js';
import { activeActorsSql, minutesSql, topEventsSql } from './live-summary.sql.js';

const minuteMs = 60_000;
const minutes = 30;
const activeMs = 5 * minuteMs;
const mostEvents = 10;
const mostPersons = 20;

interface MinuteRow {
  readonly minute: number | string;
  readonly count: number;
}

interface ActiveActor extends ActorRow {
  readonly last_event: string;
  readonly last_seen: string;
  readonly total: number;
}

/** Summarises what goes on in a project now. An event counts at the time when it happened, as in all answers to questions. */
@Injectable()
export class LiveSummaryService {
  constructor(
    private readonly scopes: QuestionScopes,
    private readonly questions: Questions,
    private readonly actorPages: ActorPages,
  ) {}

  async get(project: ProjectContext, now: Date): Promise<LiveSummaryDto> {
    const scope = await this.scopes.open(project, [], now, project.signal ?? new AbortController().signal);
    const present = Math.floor(now.getTime() / minuteMs) * minuteMs;
    const starts = Array.from({ length: minutes }, (_, at) => new Date(present - (minutes - 1 - at) * minuteMs));
    const range = { from: starts[0] ?? now, to: now };
    const [counts, top_events, persons] = await Promise.all([
      this.minutes(scope, range, starts),
      this.topEvents(scope, range),
      this.persons(scope, now),
    ]);
    const byMinute = new Map(counts.map(({ minute, count }) => [Number(minute), count]));
    return {
      minutes: starts.map((start, at) => ({ minute: start.toISOString(), count: byMinute.get(at) ?? 0 })),
      top_events,
      persons,
      as_of: scope.asOf.toISOString(),
    };
  }

  private async minutes(scope: QuestionScope, range: TimeRange, starts: readonly Date[]): Promise<MinuteRow[]> {
    return this.questions.ask<MinuteRow>(scope, minutesSql(scope, range, starts));
  }

  private async topEvents(scope: QuestionScope, range: TimeRange): Promise<LiveEventCountDto[]> {
    return this.questions.ask<LiveEventCountDto>(scope, topEventsSql(scope, range, mostEvents));
  }

  private async persons(scope: QuestionScope, now: Date): Promise<ActivePersonsDto> {
    // An event counts if it is later than five minutes ago, as with `after` in the list of events.
    const range = { from: new Date(now.getTime() - activeMs + 1), to: now };
    const rows = await this.questions.ask<ActiveActor>(scope, activeActorsSql(scope, range, mostPersons));
    const latest = await this.actorPages.personsOf(scope, rows, ({ last_event, last_seen }) => ({
      last_event,
      last_seen,
    }));
    return {
      active_last_5_minutes: rows[0]?.total ?? 0,
      latest: latest.map(({ id, uuid, name, distinct_ids, last_event, last_seen }) => ({
        person: { id, uuid, name, distinct_id: distinct_ids[0] ?? '' },
        last_event,
        last_seen_at: new Date(Number(last_seen)).toISOString(),
      })),
    };
  }
}
