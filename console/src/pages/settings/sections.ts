import { type ComponentType } from 'react';
import { AccountSection } from './account/account-section';
import { DataSection } from './data/data-section';
import { DeletionsSection } from './deletions/deletions-section';
import { FiltersSection } from './filters/filters-section';
import { HealthSection } from './health/health-section';
import { KeysSection } from './keys/keys-section';
import { MembersSection } from './users/members-section';
import { UsersSection } from './users/users-section';
import { ProjectForm } from './project/project-form';
import { WebhooksSection } from './webhooks/webhooks-section';

interface SettingsSection {
  readonly path: string;
  readonly label: string;
  readonly description: string;
  readonly Content: ComponentType;
  /** Without it the section has nothing to show. */
  readonly scope?: string;
  /** True if only owners of the installation may open it. */
  readonly forOwners?: boolean;
}

export const sections: readonly SettingsSection[] = [
  {
    path: 'project',
    label: 'Project',
    description: 'Name, calendar, how long events are kept, and the token that SDKs send',
    Content: ProjectForm,
    scope: 'project:read',
  },
  {
    path: 'filters',
    label: 'Filters',
    description: 'Which events count, and how page URLs are cleaned up',
    Content: FiltersSection,
    scope: 'project:read',
  },
  {
    path: 'keys',
    label: 'Keys',
    description: 'Keys for programs that use the API',
    Content: KeysSection,
    scope: 'api_key:read',
  },
  {
    path: 'webhooks',
    label: 'Webhooks',
    description: 'Where cohorts, alerts, action matches and other notices are sent',
    Content: WebhooksSection,
    scope: 'webhook:read',
  },
  {
    path: 'members',
    label: 'Members',
    description: 'Who can open this project, and who is invited',
    Content: MembersSection,
    scope: 'project:read',
  },
  {
    path: 'users',
    label: 'Users',
    description: 'Everyone who can sign in to this installation',
    Content: UsersSection,
    forOwners: true,
  },
  {
    path: 'account',
    label: 'Your account',
    description: 'Your name, password and sessions',
    Content: AccountSection,
  },
  {
    path: 'data',
    label: 'Data',
    description: 'What arrived, which events expired, and who changed what',
    Content: DataSection,
  },
  {
    path: 'deletions',
    label: 'Deletions',
    description: 'Events deleted on request, with a receipt for each',
    Content: DeletionsSection,
    scope: 'person:read',
  },
  {
    path: 'health',
    label: 'Health',
    description: 'Stores, lag, background work, usage by project, and the version',
    Content: HealthSection,
  },
];
