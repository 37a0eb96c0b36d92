/** Days in which an event of the demo can be. */
const ever = 90;

const did = (event: string, days: number, more: object = {}): object => ({
  type: 'behavioral',
  value: 'performed_event',
  key: event,
  event_type: 'events',
  time_value: days,
  time_interval: 'day',
  ...more,
});

interface DemoCohort {
  readonly name: string;
  readonly description: string;
  readonly criteria: readonly object[];
}

export const demoCohorts: readonly DemoCohort[] = [
  {
    name: 'Frequent customers',
    description: 'Three orders or more in the last 30 days.',
    criteria: [did('order paid', 30, { value: 'performed_event_multiple', operator: 'gte', operator_value: 3 })],
  },
  {
    name: 'Abandoned carts',
    description: 'Put something into the cart in the last 7 days and paid no order in that time.',
    criteria: [did('product added', 7), did('order paid', 7, { negation: true })],
  },
  {
    name: 'Readers who never bought',
    description: 'Opened a newsletter in the last 30 days and never paid an order.',
    criteria: [did('newsletter opened', 30), did('order paid', ever, { negation: true })],
  },
];

export const demoFunnel = {
  events: [{ id: 'product viewed' }, { id: 'product added' }, { id: 'checkout started' }, { id: 'order paid' }],
  date_from: `-${ever}d`,
};
