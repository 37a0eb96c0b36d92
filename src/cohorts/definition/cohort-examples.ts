export const exampleCriterion = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] };

export const exampleDefinition = { properties: { type: 'AND', values: [exampleCriterion] } };

/** Bodies of new cohorts, one for each way to define the members. */
export const cohortExamples = {
  property: {
    summary: 'Persons with a property',
    value: { name: 'Pro plan', filters: exampleDefinition },
  },
  behaviour: {
    summary: 'Persons who paid at least three times in the last 30 days',
    value: {
      name: 'Regular customers',
      filters: {
        properties: {
          type: 'AND',
          values: [
            {
              type: 'behavioral',
              value: 'performed_event_multiple',
              key: 'paid',
              operator: 'gte',
              operator_value: 3,
              time_value: 30,
              time_interval: 'day',
            },
          ],
        },
      },
    },
  },
  list: {
    summary: 'Persons listed one by one',
    value: { name: 'Testers', is_static: true, distinct_ids: ['ada'] },
  },
};
