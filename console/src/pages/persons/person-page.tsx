import { Page } from '../../ui/page';

export function PersonPage() {
  return <Page title="Person">{null}</Page>;
}
