import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { InvalidRegex } from '../../platform/clickhouse/errors.js';
import { type Filter, type PropertyFilter, leavesOf } from '../reading/filter.js';
import { isRegex } from '../reading/filter-limits.js';
import { regexCheckSql } from '../compile/regex.sql.js';

const maxRemembered = 10_000;

interface Pattern {
  readonly pattern: string;
  readonly at: string;
}

/** Lets ClickHouse check regular expressions, because only RE2 can tell whether they are valid. */
@Injectable()
export class RegexCheck {
  private readonly accepted = new Set<string>();

  constructor(private readonly clickhouse: ClickHouse) {}

  async check(project: ProjectContext, filter: Filter, attr: string, signal?: AbortSignal): Promise<void> {
    const unknown = new Map<string, Pattern>();
    for (const pattern of patternsOf(filter, attr)) {
      if (!this.accepted.has(pattern.pattern) && !unknown.has(pattern.pattern)) unknown.set(pattern.pattern, pattern);
    }
    await this.assertValid(project, [...unknown.values()], signal);
    if (this.accepted.size + unknown.size > maxRemembered) this.accepted.clear();
    for (const pattern of unknown.keys()) this.accepted.add(pattern);
  }

  /** Checks all patterns in one statement. If it fails, checks halves, which finds the first invalid pattern in a few statements. */
  private async assertValid(
    project: ProjectContext,
    patterns: readonly Pattern[],
    signal?: AbortSignal,
  ): Promise<void> {
    if (patterns.length === 0) return;
    const fault = await this.faultOf(project, patterns, signal);
    if (fault === null) return;
    const [first] = patterns;
    if (first && patterns.length === 1) {
      const detail = `${first.at} must be a regular expression that RE2 understands: ${fault}`;
      throw invalidInput(detail, first.at);
    }
    const half = Math.ceil(patterns.length / 2);
    await this.assertValid(project, patterns.slice(0, half), signal);
    await this.assertValid(project, patterns.slice(half), signal);
  }

  private async faultOf(
    project: ProjectContext,
    patterns: readonly Pattern[],
    signal?: AbortSignal,
  ): Promise<string | null> {
    try {
      const texts = patterns.map(({ pattern }) => pattern);
      await this.clickhouse.query(regexCheckSql(texts), { project, short: true, signal });
      return null;
    } catch (error) {
      if (!(error instanceof InvalidRegex)) throw error;
      return error.reason;
    }
  }
}

const patternsOf = (filter: Filter, attr: string): Pattern[] =>
  leavesOf(filter).flatMap((leaf) => (leaf.kind === 'property' && isRegex(leaf) ? placed(leaf, attr) : []));

const placed = ({ values, at, valueAt }: PropertyFilter, attr: string): Pattern[] =>
  values.map((value, index) => {
    const path = valueAt ?? (at === undefined ? attr : `${at}.value`);
    return { pattern: String(value), at: values.length === 1 ? path : `${path}.${index}` };
  });
