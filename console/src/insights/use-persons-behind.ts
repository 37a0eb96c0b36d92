import { useCallback, useState } from 'react';
import { useProjectId } from '../address/project-context';
import { type PersonsBehind } from './persons/persons-drawer';
import { type Point } from './kind';
import { addressOf, type Params } from './question/params';

/** Opens the persons behind a point of the answer to a question. */
export const usePersonsBehind = (route: string, params: Params | undefined) => {
  const projectId = useProjectId();
  const [behind, setBehind] = useState<PersonsBehind | null>(null);
  const openPersons = useCallback(
    ({ params: selected, others = [], ...texts }: Point): void => {
      if (!params) return;
      const personsOf = (own: Params): string => addressOf(projectId, route, { ...params, ...own, include: 'persons' });
      setBehind({
        ...texts,
        address: personsOf(selected),
        others: others.map(({ label, params: own }) => ({ label, address: personsOf(own) })),
      });
    },
    [params, route, projectId],
  );
  const close = useCallback(() => setBehind(null), []);
  return { openPersons, drawer: { isOpen: behind !== null, behind, onClose: close } };
};
