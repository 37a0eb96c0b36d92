import { Page } from '../../ui/page';

export function CohortsPage() {
  return <Page title="Cohorts">{null}</Page>;
}
