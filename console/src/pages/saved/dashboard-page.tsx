import { Page } from '../../ui/page';

export function DashboardPage() {
  return <Page title="Dashboard">{null}</Page>;
}
