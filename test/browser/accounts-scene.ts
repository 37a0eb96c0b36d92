import { importLines } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { type ActingScene } from './acting-scene.js';

/** Who of which company did what, and how many days ago. */
const done = [
  ['ada', 'acme', 'report opened', 4],
  ['ada', 'acme', 'report closed', 3.999],
  ['bob', 'acme', 'report opened', 3],
  ['bob', 'acme', 'paid', 2],
  ['cy', 'birch', 'report opened', 2],
  ['dan', 'cedar', 'report opened', 1],
] as const;

const described = {
  acme: { name: 'Acme Works', plan: 'pro', seats: 20 },
  birch: { name: 'Birch', plan: 'free', seats: 3 },
};

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** Three companies of the persons of the scene, one of them without a description; and a team, whose type has no name. */
export const addAccounts = async (service: ServiceHandle, scene: ActingScene): Promise<void> => {
  const events = done.map(([distinct_id, company, event, days]) => ({
    ...{ type: 'event', event, distinct_id, timestamp: daysAgo(days) },
    properties: { $groups: { company, ...(company === 'cedar' && { team: 'red' }) } },
  }));
  const descriptions = Object.entries(described).map(([key, properties]) => ({
    ...{ type: 'event', event: '$groupidentify', distinct_id: 'crm', timestamp: daysAgo(5) },
    properties: { $group_type: 'company', $group_key: key, $group_set: properties },
  }));
  await importLines(service, scene.projectId, [...events, ...descriptions]);
  const names = [{ group_type_index: 0, name_singular: 'Company', name_plural: 'Companies' }];
  await scene.call('PATCH', 'groups_types/update_metadata', { body: names });
};
