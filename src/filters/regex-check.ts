import { Injectable } from '@nestjs/common';
import { invalidInput } from '../common/errors/problem.js';
import { type ProjectContext } from '../common/project-context.js';
import { ClickHouse } from '../stores/clickhouse/client.js';
import { InvalidRegex } from '../stores/clickhouse/errors.js';
import { leavesOf, type Filter, type PropertyFilter } from './filter.js';
import { regexCheckSql } from './regex.sql.js';

const maxRemembered = 10_000;

/** Which regular expressions are right only RE2 can say, so the engine that will search with them is asked. */
@Injectable()
export class RegexCheck {
  private readonly accepted = new Set<string>();

  constructor(private readonly clickhouse: ClickHouse) {}

  async check(project: ProjectContext, filter: Filter, attr: string): Promise<void> {
    const patterns = leavesOf(filter).flatMap((leaf) =>
      leaf.kind === 'property' && isRegex(leaf) ? patternsOf(leaf, attr) : [],
    );
    const unknown = patterns.filter(({ pattern }) => !this.accepted.has(pattern));
    for (const { pattern, at } of unknown) await this.ask(project, pattern, at);
  }

  private async ask(project: ProjectContext, pattern: string, attr: string): Promise<void> {
    try {
      await this.clickhouse.query(regexCheckSql(pattern), { project, short: true });
    } catch (error) {
      if (!(error instanceof InvalidRegex)) throw error;
      throw invalidInput(`${attr} must be a regular expression that RE2 understands: ${error.reason}`, attr);
    }
    if (this.accepted.size >= maxRemembered) this.accepted.clear();
    this.accepted.add(pattern);
  }
}

const isRegex = ({ operator }: PropertyFilter): boolean => operator === 'regex' || operator === 'not_regex';

const patternsOf = ({ values, at }: PropertyFilter, attr: string) =>
  values.map((value, place) => {
    const path = at === undefined ? attr : `${at}.value`;
    return { pattern: String(value), at: values.length === 1 ? path : `${path}.${place}` };
  });
