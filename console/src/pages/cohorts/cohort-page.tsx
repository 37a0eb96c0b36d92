import { useParams } from '@tanstack/react-router';
import { textOf, useQuestion } from '../../address/search';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/empty-state';
import { ComparePage } from './compare/compare-page';
import { ExistingCohort } from './existing-cohort';
import { NewCohort } from './builder/new-cohort';
import { NewCsvCohort } from './upload/new-csv-cohort';

export function CohortPage() {
  const { cohortId } = useParams({ from: '/p/$projectId/cohorts/$cohortId' });
  const [question] = useQuestion();
  if (cohortId === 'new') return textOf(question['from']) === 'csv' ? <NewCsvCohort /> : <NewCohort />;
  if (cohortId === 'compare') return <ComparePage />;
  if (!/^\d{1,15}$/.test(cohortId))
    return (
      <Page title="Cohort">
        <EmptyState kind="missing" title="There is no such cohort">
          The address may be mistyped.
        </EmptyState>
      </Page>
    );
  return <ExistingCohort key={cohortId} id={Number(cohortId)} />;
}
