import { Page } from '../../ui/page';

export function CohortPage() {
  return <Page title="Cohort">{null}</Page>;
}
