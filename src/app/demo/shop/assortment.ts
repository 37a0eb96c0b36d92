import { type JsonObject } from '../../../kernel/event-log/normalise/json.js';
import { longTail, mixed, odds, Random, type Odds } from '../random.js';

export interface Product {
  readonly product_id: string;
  readonly name: string;
  readonly category: string;
  readonly price: number;
}

interface Department {
  readonly category: string;
  readonly things: string;
  /** The median of the prices, in euros. */
  readonly price: number;
}

const departments: readonly Department[] = [
  { category: 'boots', things: 'Trail Boot,Hiking Boot,Winter Boot,Approach Shoe,Sandal,Gaiter', price: 129 },
  { category: 'jackets', things: 'Rain Jacket,Down Jacket,Fleece,Softshell,Wind Vest,Parka', price: 159 },
  { category: 'backpacks', things: 'Daypack,Trekking Pack,Hip Pack,Dry Bag,Duffel,Kids Pack', price: 84 },
  { category: 'tents', things: 'Two-Person Tent,Family Tent,Tarp,Bivy,Hammock,Footprint', price: 239 },
  { category: 'kitchen', things: 'Gas Stove,Pot Set,Mug,Water Filter,Spork,Flask', price: 34 },
  { category: 'maps', things: 'Trail Map,Guide Book,Compass,Headlamp,Whistle,First Aid Kit', price: 22 },
];
const lines = ['Alder', 'Birch', 'Cedar', 'Elm'];

/** Prices end in 90 cents and are the same for every seed. */
const priceOf = (median: number, index: number): number =>
  Math.max(4, Math.round(new Random(mixed(median, index)).around(median, 0.35))) + 0.9;

const productsOf = ({ category, things, price }: Department): Product[] =>
  lines.flatMap((line, at) =>
    things.split(',').map((thing, index) => ({
      product_id: `${category}-${at * 6 + index + 1}`,
      name: `${line} ${thing}`,
      category,
      price: priceOf(price, at * 6 + index),
    })),
  );

/** The first products of a department sell much better than the last. */
const products = new Map<string, Odds<Product>>(
  departments.map((department) => [department.category, longTail(productsOf(department))]),
);

const categories = odds<string>([
  ['boots', 26],
  ['jackets', 24],
  ['backpacks', 18],
  ['kitchen', 15],
  ['maps', 10],
  ['tents', 7],
]);

export const aCategory = (random: Random): string => random.of(categories);
export const aProduct = (category: string, random: Random): Product =>
  random.of(products.get(category) as Odds<Product>);

const searches = longTail(
  'rain jacket,hiking boots,tent,backpack 30l,stove,headlamp,kids boots,gift card,dry bag,gaiters'.split(','),
);
export const aSearch = (random: Random): JsonObject => {
  const results = random.chance(0.08) ? 0 : 1 + Math.floor(random.exponential(9));
  return { query: random.of(searches), results };
};

const campaign = (utm_source: string, utm_medium: string, utm_campaign: string): JsonObject => ({
  utm_source,
  utm_medium,
  utm_campaign,
});

/** How newcomers get to the shop; without properties they type the address. */
export const shopCampaigns = odds<JsonObject>([
  [{}, 34],
  [campaign('google', 'cpc', 'brand'), 14],
  [campaign('google', 'cpc', 'rain-jackets'), 13],
  [campaign('google', 'organic', 'search'), 16],
  [campaign('instagram', 'social', 'autumn-hikes'), 11],
  [campaign('youtube', 'social', 'gear-tests'), 5],
  [campaign('trailblog', 'affiliate', 'boots-review'), 5],
  [campaign('retargeting', 'display', 'seen-products'), 2],
]);
export const newsletterCampaign = (issue: number): JsonObject => campaign('newsletter', 'email', `issue-${issue}`);

export const paymentMethods = odds<string>([
  ['card', 52],
  ['paypal', 31],
  ['invoice', 11],
  ['apple pay', 6],
]);
export const refusals = odds<string>([
  ['insufficient funds', 5],
  ['3-D Secure failed', 4],
  ['timeout', 1],
]);
export const refundReasons = odds<string>([
  ['wrong size', 55],
  ['not as described', 18],
  ['arrived late', 15],
  ['damaged', 12],
]);

/** The mail addresses of private persons, and those of the shop's own tests. */
export const mailboxes = odds<string>([
  ['mail.example', 60],
  ['post.example', 30],
  ['inbox.example', 9],
  ['example.test', 1],
]);
