import { useCallback, useState } from 'react';
import { list } from '../api/client';
import { useProjectId } from '../address/project-context';
import { type PersonsBehind } from './persons/persons-of-point';
import { actorsOf, useActorsOf } from './actors';
import { type Point } from './kind';
import { requestOf, type InsightRoute, type Params } from './question/params';

/** Opens the persons or accounts behind a point of the answer to a question. */
export const usePersonsBehind = (route: InsightRoute, params: Params | undefined) => {
  const projectId = useProjectId();
  const { groupType, types } = useActorsOf(params ?? {});
  const [behind, setBehind] = useState<PersonsBehind | null>(null);
  const openPersons = useCallback(
    ({ params: selected, others = [], groupType: ofPoint, ...texts }: Point): void => {
      if (!params) return;
      const personsOf = (own: Params) => list(route, requestOf(projectId, { ...params, ...own, include: 'persons' }));
      setBehind({
        ...texts,
        actors: actorsOf(types, ofPoint ?? groupType),
        list: personsOf(selected),
        others: others.map(({ label, params: own }) => ({ label, list: personsOf(own) })),
      });
    },
    [params, route, projectId, groupType, types],
  );
  const close = useCallback(() => setBehind(null), []);
  return { openPersons, drawer: { isOpen: behind !== null, behind, onClose: close } };
};
