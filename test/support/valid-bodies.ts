/** A body that is valid, by route below the project, so that only the record that is named can be at fault. */
export const validBodies: Readonly<Record<string, object>> = {
  'POST cohorts': { name: 'probe', is_static: true, person_ids: [] },
  'POST actions': { name: 'probe', steps: [{ event: 'probed' }] },
  'POST members': { email: 'nobody@example.test', role: 'viewer' },
  'POST invitations': { email: 'probe@example.test', role: 'viewer' },
  'PATCH members/{id}': { role: 'viewer' },
  'POST query': { query: 'select 1' },
  'POST query/explain': { query: 'select 1' },
  'PATCH actions/{id}': { description: 'probed' },
  'PATCH persons/{id}': { properties: { a: 1 } },
  'POST persons/{id}/update_property': { key: 'a', value: 1 },
  'POST persons/{id}/delete_property': { $unset: 'a' },
  'POST persons/{id}/merge': { distinct_ids: ['probe'] },
  'POST persons/{id}/split': { main_distinct_id: null },
  'PATCH cohorts/{id}/add_persons_to_static_cohort': { person_ids: [1] },
  'PATCH cohorts/{id}/remove_person_from_static_cohort': { person_id: 1 },
};
