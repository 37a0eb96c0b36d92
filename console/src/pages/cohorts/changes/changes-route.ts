import { type Cohort } from '../../../api/types';

const ofPersons = '/api/projects/{project_id}/cohorts/{id}/changes';
const ofAccounts = '/api/projects/{project_id}/cohorts/{id}/group_changes';

export type ChangesRoute = typeof ofPersons | typeof ofAccounts;

/** Persons and accounts have routes of their own, because keys may read either of them. */
export const changesRoute = ({ actor }: Cohort): ChangesRoute => (actor === 'group' ? ofAccounts : ofPersons);
