import { longTail, odds } from './random.js';

export const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${name}-${String(at + 1).padStart(3, '0')}`);

export const countries = longTail(
  (
    'US DE GB FR IN BR CA NL ES AU PL IT SE JP MX CH BE AT DK NO PT FI IE CZ ZA TR KR SG AR ID ' +
    'UA RO GR HU NZ IL CL CO PH VN TH MY AE KE NG EG PE SK BG HR LT SI EE LV LU IS UY MT'
  ).split(' '),
);

export interface Device {
  readonly $device_type: string;
  readonly $os: string;
  readonly $browser: string;
}

const device = ($device_type: string, $os: string, $browser: string): Device => ({ $device_type, $os, $browser });

export const devices = odds<Device>([
  [device('Desktop', 'Windows', 'Chrome'), 260],
  [device('Desktop', 'Mac OS X', 'Chrome'), 190],
  [device('Mobile', 'iOS', 'Mobile Safari'), 140],
  [device('Mobile', 'Android', 'Chrome'), 120],
  [device('Desktop', 'Mac OS X', 'Safari'), 80],
  [device('Desktop', 'Windows', 'Microsoft Edge'), 70],
  [device('Desktop', 'Windows', 'Firefox'), 45],
  [device('Desktop', 'Linux', 'Firefox'), 30],
  [device('Desktop', 'Linux', 'Chrome'), 25],
  [device('Tablet', 'iOS', 'Mobile Safari'), 18],
  [device('Mobile', 'Android', 'Samsung Internet'), 12],
  [device('Tablet', 'Android', 'Chrome'), 6],
  [device('Desktop', 'Windows', 'Opera'), 5],
  [device('Mobile', 'Android', 'Firefox'), 3],
  [device('Desktop', 'Chrome OS', 'Chrome'), 3],
  [device('Mobile', 'Android', 'UC Browser'), 1],
]);

/** Null is a direct visit. */
export const sources = odds<string | null>([
  [null, 550],
  ['google', 170],
  ['newsletter', 70],
  ['linkedin', 50],
  ['reddit', 35],
  ['youtube', 25],
  ['bing', 20],
  ['podcast', 10],
  ...numbered('partner', 60).map((name, at) => [name, 70 / (at + 4)] as const),
]);
export const mediums = odds<string>([
  ['cpc', 5],
  ['social', 3],
  ['email', 2],
  ['referral', 1],
]);
export const campaigns = longTail(numbered('campaign', 120));

export const plans = odds<{ readonly name: string; readonly amount: number }>([
  [{ name: 'starter', amount: 19 }, 60],
  [{ name: 'pro', amount: 79 }, 30],
  [{ name: 'business', amount: 249 }, 8],
  [{ name: 'enterprise', amount: 1200 }, 2],
]);

export const firstNames = longTail(
  'Ada Ben Chloe David Elif Farid Grace Hugo Ines Jonas Kira Liam Mei Noah Olga Paul Quinn Rosa Sven Tara Uma Victor Wren Yusuf Zoe'.split(
    ' ',
  ),
);
export const companies = longTail(numbered('company', 500));
