import { Page } from '../../ui/page';

export function InsightPage() {
  return <Page title="Insights">{null}</Page>;
}
