import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { engineCode } from '../../platform/clickhouse/errors.js';
import { cleaningCheckSql } from './items.sql.js';
import { type CleaningRule } from './paths.parameters.js';

/** The error code of ClickHouse for a regular expression or a replacement that RE2 refuses. */
const badArguments = '36';

/** Lets ClickHouse check the rewrites, because only RE2 can tell whether an expression and its replacement are valid. */
@Injectable()
export class CleaningCheck {
  constructor(private readonly clickhouse: ClickHouse) {}

  async check(project: ProjectContext, rules: readonly CleaningRule[]): Promise<void> {
    if (rules.length === 0 || (await this.faultOf(project, rules)) === null) return;
    for (const rule of rules) {
      const fault = await this.faultOf(project, [rule]);
      if (fault !== null) throw refused(rule, fault);
    }
  }

  private async faultOf(project: ProjectContext, rules: readonly CleaningRule[]): Promise<string | null> {
    try {
      await this.clickhouse.query(cleaningCheckSql(rules), { project, short: true });
      return null;
    } catch (error) {
      if (engineCode(error) !== badArguments) throw error;
      return (error as Error).message;
    }
  }
}

const refused = ({ attr }: CleaningRule, fault: string) => {
  const key = fault.includes('replacement argument') ? 'alias' : 'regex';
  const must =
    key === 'alias'
      ? 'an alias whose \\1 to \\9 are groups of its regular expression'
      : 'a regular expression that RE2 understands';
  return invalidInput(`${attr}.${key} must be ${must}`, `${attr}.${key}`);
};
