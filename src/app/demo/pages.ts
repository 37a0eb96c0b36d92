import { numbered } from './catalogue.js';
import { longTail, odds, type Odds, type Random } from './random.js';

/** A star is a placeholder for one of many values. */
export type SitePage =
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

/** The values for the star of a page. */
const sources: Partial<Record<SitePage, Odds<string>>> = {
  '/blog/*': articles,
  '/docs/*': guides,
  '/app/reports/*': reports,
  '/app/projects/*': projects,
};

/** The odds of the next page, for each page. */
const links: Record<SitePage, Odds<SitePage>> = {
  '/': odds<SitePage>([
    ['/pricing', 30],
    ['/features', 28],
    ['/blog/*', 18],
    ['/docs/*', 12],
    ['/customers', 8],
    ['/about', 4],
  ]),
  '/pricing': odds<SitePage>([
    ['/features', 35],
    ['/', 25],
    ['/docs/*', 20],
    ['/customers', 20],
  ]),
  '/features': odds<SitePage>([
    ['/pricing', 50],
    ['/docs/*', 25],
    ['/customers', 15],
    ['/', 10],
  ]),
  '/customers': odds<SitePage>([
    ['/pricing', 60],
    ['/', 40],
  ]),
  '/signup': odds<SitePage>([['/', 1]]),
  '/login': odds<SitePage>([['/', 1]]),
  '/about': odds<SitePage>([
    ['/', 70],
    ['/customers', 30],
  ]),
  '/blog/*': odds<SitePage>([
    ['/blog/*', 45],
    ['/', 35],
    ['/features', 20],
  ]),
  '/docs/*': odds<SitePage>([
    ['/docs/*', 60],
    ['/pricing', 25],
    ['/', 15],
  ]),
  '/app': odds<SitePage>([
    ['/app/projects/*', 45],
    ['/app/reports/*', 35],
    ['/app/settings', 8],
    ['/app/team', 7],
    ['/docs/*', 5],
  ]),
  '/app/projects/*': odds<SitePage>([
    ['/app/projects/*', 40],
    ['/app/reports/*', 35],
    ['/app', 25],
  ]),
  '/app/reports/*': odds<SitePage>([
    ['/app/reports/*', 50],
    ['/app', 30],
    ['/app/projects/*', 20],
  ]),
  '/app/settings': odds<SitePage>([
    ['/app', 60],
    ['/app/billing', 25],
    ['/app/team', 15],
  ]),
  '/app/billing': odds<SitePage>([
    ['/app', 75],
    ['/app/settings', 25],
  ]),
  '/app/team': odds<SitePage>([['/app', 1]]),
};

/** The first page of a visit. */
const landings = odds<SitePage>([
  ['/', 55],
  ['/blog/*', 22],
  ['/pricing', 10],
  ['/features', 8],
  ['/docs/*', 5],
]);

export const landingPage = (random: Random): SitePage => random.of(landings);
export const pageAfter = (page: SitePage, random: Random): SitePage => random.of(links[page]);

export const pathOf = (page: SitePage, random: Random): string => {
  const source = sources[page];
  return source ? page.replace('*', random.of(source)) : page;
};
