import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const folder = 'docs/guides/monitoring';

interface Rules {
  readonly groups: { readonly rules: { readonly alert: string; readonly expr: string }[] }[];
}

interface Tests {
  readonly tests: {
    readonly name: string;
    readonly input_series: { readonly series: string }[];
    readonly promql_expr_test: { readonly exp_samples: { readonly labels: string }[] }[];
  }[];
}

const read = <T>(name: string): T => parse(readFileSync(`${folder}/${name}`, 'utf8')) as T;
const rules = read<Rules>('alerts.yml').groups.flatMap((group) => group.rules);
const [quiet, ...firing] = read<Tests>('alerts.test.yml').tests;

const promtool = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8' });
  return { status, said: stdout + stderr };
};
/** Debian's package is `prometheus`. */
const hasPromtool = promtool('--version').status === 0;

describe('the tests of the alerts', () => {
  it('let every alert fire, alone, and may say when it no longer does', () => {
    const fired = firing.map(({ promql_expr_test: [test] }) =>
      (test?.exp_samples ?? []).map(({ labels }) => /alertname="(\w+)"/.exec(labels)?.[1]),
    );
    expect(fired.filter((names) => names.length > 1)).toEqual([]);
    expect(fired.flat().sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  it('and let none fire where each metric of an alert has a value', () => {
    const given = new Set(quiet?.input_series.map(({ series }) => series.replace(/\{.*/, '')));
    const needed = rules.flatMap(({ expr }) => expr.match(/\b(?:kohort|nodejs)_\w+/g) ?? []);
    expect(needed.length).toBeGreaterThan(rules.length);
    expect(needed.filter((name) => !given.has(name))).toEqual([]);
    expect(quiet?.promql_expr_test[0]?.exp_samples).toEqual([]);
  });

  (hasPromtool ? it : it.skip)('pass', () => {
    expect(promtool('check', 'rules', `${folder}/alerts.yml`)).toEqual({
      status: 0,
      said: expect.stringContaining(`SUCCESS: ${rules.length} rules found`),
    });
    expect(promtool('test', 'rules', `${folder}/alerts.test.yml`)).toEqual({
      status: 0,
      said: expect.stringContaining('SUCCESS'),
    });
  });
});
