import { api, bodyOf, get } from '../../api/client';
import { type SavedQuestion } from '../../api/types';

interface TemplateTile {
  readonly name: string;
  readonly width: number;
  readonly type: SavedQuestion['type'];
  readonly params: Record<string, unknown>;
}

/** Finds the event of the project whose name fits best what a template is about, else takes the usual name. */
type EventNamed = (pattern: RegExp, usual: string) => { readonly id: string };

interface Template {
  readonly value: string;
  readonly label: string;
  readonly tilesOf: (named: EventNamed) => readonly TemplateTile[];
}

const month = { date_from: '-30d' };
const anyEvent = { id: null };

const actives: TemplateTile = {
  name: 'Active persons',
  width: 6,
  type: 'trends',
  params: { events: [{ ...anyEvent, math: 'dau' }], ...month, compare: true },
};

const newPersons: TemplateTile = {
  name: 'New persons',
  width: 6,
  type: 'trends',
  params: { events: [{ ...anyEvent, math: 'first_time_for_user' }], ...month, display: 'ActionsBar' },
};

/** What a dashboard may begin with. */
export const templates: readonly Template[] = [
  {
    value: 'saas',
    label: 'SaaS product',
    tilesOf: (named) => {
      const signUp = named(/sign(ed)?[ _-]?up|register|account created/i, 'signed up');
      return [
        actives,
        newPersons,
        { name: 'Sign-ups', width: 6, type: 'trends', params: { events: [signUp], ...month, compare: true } },
        {
          name: 'New, returning and lost persons',
          width: 6,
          type: 'lifecycle',
          params: { events: [anyEvent], ...month },
        },
        {
          name: 'Do they come back?',
          width: 12,
          type: 'retention',
          params: { period: 'Week', total_intervals: 8, target_entity: signUp, returning_entity: anyEvent },
        },
      ];
    },
  },
  {
    value: 'shop',
    label: 'Online shop',
    tilesOf: (named) => {
      const viewed = named(/product.*view|view.*product/i, 'product viewed');
      const added = named(/add.*(cart|basket)|product added/i, 'product added');
      const paid = named(/(order|purchase).*(paid|complete)|purchase|paid/i, 'order paid');
      return [
        {
          name: 'From a look to an order',
          width: 12,
          type: 'funnel',
          params: { events: [viewed, added, paid], ...month },
        },
        { name: 'Orders', width: 6, type: 'trends', params: { events: [paid], ...month, compare: true } },
        {
          name: 'Buyers',
          width: 6,
          type: 'trends',
          params: { events: [{ ...paid, math: 'dau' }], ...month, compare: true },
        },
        {
          name: 'Do buyers buy again?',
          width: 12,
          type: 'retention',
          params: { period: 'Week', total_intervals: 8, target_entity: paid, returning_entity: paid },
        },
      ];
    },
  },
  {
    value: 'api',
    label: 'API',
    tilesOf: (named) => {
      const failed = named(/error|fail|exception/i, 'request failed');
      return [
        {
          name: 'Events by hour',
          width: 12,
          type: 'trends',
          params: { events: [anyEvent], date_from: '-2d', interval: 'hour', compare: true },
        },
        actives,
        { name: 'Errors', width: 6, type: 'trends', params: { events: [failed], ...month, compare: true } },
        {
          name: 'On how many days are they active?',
          width: 12,
          type: 'stickiness',
          params: { events: [anyEvent], ...month },
        },
      ];
    },
  },
];

/** Saves the insights of the template, and returns the tiles that show them. */
export const tilesOfTemplate = async (projectId: string, value: string) => {
  const template = templates.find((one) => one.value === value);
  if (!template) return [];
  const path = { project_id: projectId };
  const { results } = await get('/api/projects/{project_id}/event_definitions', { path, query: { limit: 200 } });
  const named: EventNamed = (pattern, usual) => ({
    id:
      results.find(({ name }) => name === usual)?.name ?? results.find(({ name }) => pattern.test(name))?.name ?? usual,
  });
  const tiles: { readonly insight_id: number; readonly width: number }[] = [];
  for (const { name, width, type, params } of template.tilesOf(named)) {
    const body = { name, description: '', question: { type, params } };
    const { id } = await bodyOf(api.POST('/api/projects/{project_id}/insights', { params: { path }, body }));
    tiles.push({ insight_id: id, width });
  }
  return tiles;
};
