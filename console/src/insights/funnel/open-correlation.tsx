import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useProjectId } from '../../address/project-context';
import { useQuestion } from '../../address/search';
import { sharedFields } from '../question/params';

/** Leads to the correlation of the same funnel. */
export function OpenCorrelation() {
  const projectId = useProjectId();
  const [question] = useQuestion();
  const navigate = useNavigate();
  // A dashboard has no question in its address.
  if (question.events === undefined && question.actions === undefined) return null;
  const search = Object.fromEntries(Object.entries(question).filter(([field]) => sharedFields.includes(field)));
  return (
    <Button
      variant="light"
      size="compact-sm"
      onClick={() =>
        void navigate({
          to: '/p/$projectId/insights/$kind',
          params: { projectId, kind: 'correlation' },
          search,
        })
      }
    >
      Show correlations
    </Button>
  );
}
