import { type JsonObject } from '../../kernel/event-log/normalise/json.js';
import { plans } from './catalogue.js';
import { type Milestone } from './habits.js';
import { odds, type Random } from './random.js';

/** Makes the properties that only one kind of event has. Person, page and time are added to all events elsewhere. */
type PropertiesGenerator = (random: Random) => JsonObject;

const onTheWebsite: Record<string, PropertiesGenerator> = {
  'cta clicked': (random) => ({ cta: random.pick(['start free', 'book a demo', 'see plans']) }),
  'video watched': (random) => ({ seconds: Math.ceil(random.around(45, 0.8)), finished: random.chance(0.3) }),
};

const inTheProduct: Record<string, PropertiesGenerator> = {
  searched: (random) => ({ term_length: random.between(2, 24), results: Math.floor(random.exponential(12)) }),
  'report viewed': (random) => ({
    report_type: random.pick(['trend', 'funnel', 'table']),
    load_ms: Math.ceil(random.around(320, 0.7)),
  }),
  'report exported': (random) => ({
    format: random.pick(['csv', 'csv', 'xlsx', 'pdf']),
    rows: Math.ceil(random.around(400, 1.5)),
  }),
  'comment added': (random) => ({ length: Math.ceil(random.exponential(90)), mentions: random.between(0, 3) }),
  'file uploaded': (random) => ({ size_kb: Math.ceil(random.around(250, 1.6)) }),
  'video watched': onTheWebsite['video watched'] as PropertiesGenerator,
  'limit reached': (random) => ({ limit: random.pick(['seats', 'projects', 'storage']) }),
};

const atMilestones: Record<Milestone, PropertiesGenerator> = {
  'signed up': (random) => ({ method: random.pick(['email', 'google', 'google', 'github']) }),
  activated: (random) => ({ template: random.pick(['blank', 'sales', 'support', 'growth']) }),
  'invited teammate': (random) => ({ invitees: 1 + Math.floor(random.exponential(1.5)) }),
  paid: (random) => {
    const { name, amount } = random.of(plans);
    const seats = 1 + Math.floor(random.exponential(3));
    const yearly = random.chance(0.3);
    return { plan: name, seats, amount: amount * seats * (yearly ? 10 : 1), interval: yearly ? 'year' : 'month' };
  },
};

const productOdds = odds([
  ['report viewed', 45],
  ['searched', 22],
  ['comment added', 13],
  ['report exported', 8],
  ['file uploaded', 7],
  ['video watched', 3],
  ['limit reached', 2],
]);

const generators: Record<string, PropertiesGenerator> = { ...onTheWebsite, ...inTheProduct, ...atMilestones };

export const demoProperties = (event: string, random: Random): JsonObject => generators[event]?.(random) ?? {};

/** Returns null if the visitor only opens another page. A visitor who watches the video is more likely to sign up. */
export const deedOnTheWebsite = (random: Random, willSignUp: boolean): string | null => {
  if (random.chance(willSignUp ? 0.16 : 0.05)) return 'video watched';
  return random.chance(0.07) ? 'cta clicked' : null;
};

export const deedInTheProduct = (random: Random): string | null => (random.chance(0.5) ? random.of(productOdds) : null);
