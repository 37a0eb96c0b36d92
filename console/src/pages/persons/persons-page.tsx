import { Page } from '../../ui/page';

export function PersonsPage() {
  return <Page title="Persons">{null}</Page>;
}
