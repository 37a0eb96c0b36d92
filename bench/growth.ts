import { rounded, type Bench, type Figure } from './bench.js';
import { askersOf, askOurs, median, names, timeOf } from './questions.js';
import { withQuestionData } from './support/question-data.js';

const sizes = [1_000_000, 4_000_000, 16_000_000];
const rounds = 3;

/** The same questions of ever more events: time may grow with them, not faster. */
export const growth: Bench = {
  name: 'growth',
  async *run(): AsyncGenerator<Figure> {
    const times = new Map<string, number[]>();
    for (const events of sizes) {
      for await (const { name, ms } of withQuestionData(events, timesOf)) {
        times.set(name, [...(times.get(name) ?? []), ms]);
        yield { figure: `${name}: ${events / 1_000_000} M events`, value: rounded(ms, 1), unit: 'ms' };
      }
    }
    for (const [name, [first = NaN, , last = NaN]] of times) {
      const factor = (last / first) * ((sizes[0] ?? 1) / (sizes.at(-1) ?? 1));
      yield { figure: `${name}: growth of time ÷ growth of events`, value: rounded(factor), unit: 'ratio', atMost: 1 };
    }
  },
};

async function* timesOf(clickhouse: Parameters<typeof askersOf>[0]): AsyncGenerator<{ name: string; ms: number }> {
  const askers = askersOf(clickhouse);
  for (const name of names) {
    const times: number[] = [];
    for (let round = 0; round <= rounds; round += 1) times.push(await timeOf(() => askOurs(askers[name], name)));
    yield { name, ms: median(times.slice(1)) };
  }
}
