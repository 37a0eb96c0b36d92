import { answer, type Answered } from '../../api/client';
import { type Person } from '../../api/types';
import { useChange } from '../../ui/use-change';

/** The props of every part of a person's page. */
export interface PersonProps {
  readonly projectId: string;
  readonly person: Person;
}

/** The path parameters of the person's routes. */
export const pathOf = (projectId: string, { uuid }: Person) => ({ project_id: projectId, id: uuid });

export const personQuery = (projectId: string, personId: string) =>
  answer('/api/projects/{project_id}/persons/{id}', { path: { project_id: projectId, id: personId } });

/** A route that changes persons; every page that shows persons or their cohorts is then read anew. */
export const usePersonChange = <Answer, Input = void>(
  send: (input: Input) => Promise<Answered<Answer>>,
  onDone: (answer: Answer, input: Input) => unknown,
  { hasForm = false }: { readonly hasForm?: boolean } = {},
) =>
  useChange(send, {
    refreshes: ['/api/projects/{project_id}/persons', '/api/projects/{project_id}/cohorts'],
    onDone,
    hasForm,
  });
