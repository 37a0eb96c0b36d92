import { answeredError } from '../../platform/clickhouse/errors.js';
import { describe, expect, it } from '@jest/globals';
import { type Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { type Problem } from '../../platform/errors/problem.js';
import { QueryParser } from '../parse/parser.js';
import { check } from '../check/check.js';
import { EngineFaults } from './engine-faults.js';

const secret = 'ada@example.test';
const parser = await QueryParser.open();
const query = check(await parser.parse(`select upper('${secret}') from events`), {});

const engineError = (code: string): Error =>
  answeredError(`Code: ${code}. Cannot do upper('${secret}') in kohort.events`, code);

const scene = () => {
  const lines: unknown[][] = [];
  const metrics = new Metrics();
  const logger = { warn: (...line: unknown[]) => void lines.push(line) } as unknown as Logger;
  return { faults: new EngineFaults(metrics, logger), lines, metrics };
};

const counted = (metrics: Metrics): Promise<string> =>
  metrics.registry.getSingleMetricAsString('kohort_unexplained_engine_errors_total');

describe('an error of the engine', () => {
  it('without a meaning is a general 400, logged and counted by its code alone', async () => {
    const { faults, lines, metrics } = scene();
    const problem = faults.problemOf(engineError('9999'), query, 'query', 'members') as Problem;
    expect([problem.status, problem.detail]).toEqual([400, 'Line 1, column 14: This cannot be computed']);
    expect(lines).toEqual([
      [{ code: '9999', statement: 'members' }, 'The engine refused a question in SQL for a reason without a message'],
    ]);
    expect(await counted(metrics)).toContain('{code="9999",statement="members"} 1');
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  it('with a meaning leaves no trace', async () => {
    const { faults, lines, metrics } = scene();
    const problem = faults.problemOf(engineError('153'), query, 'query', 'question') as Problem;
    expect([problem.status, problem.detail]).toEqual([400, 'Line 1, column 14: A number is divided by zero']);
    expect(lines).toEqual([]);
    expect(await counted(metrics)).not.toContain('code=');
  });

  it('that is none of the engine stays as it is', () => {
    const { faults, lines } = scene();
    const defect = new TypeError('x is not a function');
    expect(faults.problemOf(defect, query, 'query', 'question')).toBe(defect);
    expect(lines).toEqual([]);
  });
});
