import { Injectable } from '@nestjs/common';
import { assertScopes } from '../../kernel/access/scopes.js';
import { type Asker } from '../questions/question-answers.js';
import { scopesOf } from '../questions/question.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { type BacktestBody, type BacktestDto } from './alert.dto.js';
import { AlertChecker, type CheckedAlert } from './alert-checker.js';
import { changeOf } from './alert-rule.js';
import { assertInsight } from './alerts.service.js';
import { AlertsRepository, decidedDto } from './alerts.repository.js';
import { assertRule, readCondition, readConfig, readInsightId, readThreshold } from './read-alert.js';

const dayMs = 86_400_000;

/** Tells what an alert would have done in the past. */
@Injectable()
export class Backtests {
  constructor(
    private readonly rows: AlertsRepository,
    private readonly checker: AlertChecker,
    private readonly postgres: Postgres,
  ) {}

  async answer(asker: Asker, id: number, days: number): Promise<BacktestDto> {
    return this.of(await this.rows.find(asker.project, id), asker, days);
  }

  /** An alert that need not be stored. */
  async unsaved(asker: Asker, body: BacktestBody, days: number): Promise<BacktestDto> {
    const alert = {
      insight_id: readInsightId(body.insight),
      series_index: readConfig(body.config),
      condition: readCondition(body.condition ?? { type: 'absolute_value' }),
      threshold: readThreshold(body.threshold),
      calculation_interval: body.calculation_interval ?? 'daily',
      skip_weekend: body.skip_weekend ?? false,
    };
    assertRule(alert);
    await assertInsight(this.postgres, asker.project, alert.insight_id);
    return this.of(alert, asker, days);
  }

  private async of(alert: CheckedAlert, { project, scopes, now, signal }: Asker, days: number): Promise<BacktestDto> {
    assertScopes(scopes, scopesOf('trends'));
    const from = new Date(now.getTime() - days * dayMs);
    const verdicts = await this.checker.backtest(alert, from, { project, now, signal });
    let firing = false;
    const results = verdicts.map(({ decided, verdict }) => {
      const change = changeOf(firing, verdict.breached);
      firing = verdict.breached;
      return decidedDto(decided.start, verdict, change);
    });
    const fired = results.filter(({ change }) => change === 'fired').length;
    return { date_from: from.toISOString(), as_of: now.toISOString(), fired, results };
  }
}
