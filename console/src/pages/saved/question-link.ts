import { type SavedQuestion } from '../../api/types';
import { paramsOf, readWritten } from '../../insights/sql/written';

/**
 * The page of a saved question, with its parameters in the address, and the id under which changes of it are saved. The router
 * knows the type of the search part only of addresses that are written out.
 */
export const questionLink = (
  projectId: string,
  { type, params }: SavedQuestion,
  id: number,
): { readonly to: string; readonly search: never } => {
  // A node that stands for no question of our own has no page.
  if (type === 'node') return { to: `/p/${projectId}/saved`, search: { shown: 'insights' } as never };
  if (type === 'sql') {
    const { query: q, values } = paramsOf(readWritten(params));
    return { to: `/p/${projectId}/sql`, search: { q, values, insight: id } as never };
  }
  return { to: `/p/${projectId}/insights/${type}`, search: { ...params, insight: id } as never };
};
