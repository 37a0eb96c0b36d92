import { numbered } from './catalogue.js';
import { longTail, odds, type Odds, type Random } from './random.js';

/** A star stands for one of many. */
export type Page =
  | '/'
  | '/pricing'
  | '/features'
  | '/customers'
  | '/about'
  | '/blog/*'
  | '/docs/*'
  | '/signup'
  | '/login'
  | '/app'
  | '/app/projects/*'
  | '/app/reports/*'
  | '/app/settings'
  | '/app/billing'
  | '/app/team';

const articles = longTail(numbered('article', 150));
const guides = longTail(numbered('guide', 40));
const reports = longTail(numbered('report', 300));
const projects = longTail(Array.from({ length: 400 }, (_, at) => String(1000 + at)));

/** What stands for the star of a page. */
const places: Partial<Record<Page, Odds<string>>> = {
  '/blog/*': articles,
  '/docs/*': guides,
  '/app/reports/*': reports,
  '/app/projects/*': projects,
};

/** From a page to the next. */
const links: Record<Page, Odds<Page>> = {
  '/': odds<Page>([
    ['/pricing', 30],
    ['/features', 28],
    ['/blog/*', 18],
    ['/docs/*', 12],
    ['/customers', 8],
    ['/about', 4],
  ]),
  '/pricing': odds<Page>([
    ['/features', 35],
    ['/', 25],
    ['/docs/*', 20],
    ['/customers', 20],
  ]),
  '/features': odds<Page>([
    ['/pricing', 50],
    ['/docs/*', 25],
    ['/customers', 15],
    ['/', 10],
  ]),
  '/customers': odds<Page>([
    ['/pricing', 60],
    ['/', 40],
  ]),
  '/signup': odds<Page>([['/', 1]]),
  '/login': odds<Page>([['/', 1]]),
  '/about': odds<Page>([
    ['/', 70],
    ['/customers', 30],
  ]),
  '/blog/*': odds<Page>([
    ['/blog/*', 45],
    ['/', 35],
    ['/features', 20],
  ]),
  '/docs/*': odds<Page>([
    ['/docs/*', 60],
    ['/pricing', 25],
    ['/', 15],
  ]),
  '/app': odds<Page>([
    ['/app/projects/*', 45],
    ['/app/reports/*', 35],
    ['/app/settings', 8],
    ['/app/team', 7],
    ['/docs/*', 5],
  ]),
  '/app/projects/*': odds<Page>([
    ['/app/projects/*', 40],
    ['/app/reports/*', 35],
    ['/app', 25],
  ]),
  '/app/reports/*': odds<Page>([
    ['/app/reports/*', 50],
    ['/app', 30],
    ['/app/projects/*', 20],
  ]),
  '/app/settings': odds<Page>([
    ['/app', 60],
    ['/app/billing', 25],
    ['/app/team', 15],
  ]),
  '/app/billing': odds<Page>([
    ['/app', 75],
    ['/app/settings', 25],
  ]),
  '/app/team': odds<Page>([['/app', 1]]),
};

/** Where a visit begins. */
const landings = odds<Page>([
  ['/', 55],
  ['/blog/*', 22],
  ['/pricing', 10],
  ['/features', 8],
  ['/docs/*', 5],
]);

export const landingPage = (random: Random): Page => random.of(landings);
export const pageAfter = (page: Page, random: Random): Page => random.of(links[page]);

export const pathOf = (page: Page, random: Random): string => {
  const place = places[page];
  return place ? page.replace('*', random.of(place)) : page;
};
