import { Injectable } from '@nestjs/common';
import { assertScopes } from '../../kernel/access/scopes.js';
import { type Asker } from '../questions/question-answers.js';
import { scopesOf } from '../questions/question.js';
import { type BacktestDto } from './alert.dto.js';
import { AlertChecker } from './alert-checker.js';
import { changeOf } from './alert-rule.js';
import { AlertsRepository, decidedDto } from './alerts.repository.js';

const dayMs = 86_400_000;

/** Tells what an alert would have done in the past. */
@Injectable()
export class Backtests {
  constructor(
    private readonly rows: AlertsRepository,
    private readonly checker: AlertChecker,
  ) {}

  async answer({ project, scopes, now, signal }: Asker, id: number, days: number): Promise<BacktestDto> {
    assertScopes(scopes, scopesOf('trends'));
    const alert = await this.rows.find(project, id);
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
