import { Page } from '../../ui/page';

export function CataloguePage() {
  return <Page title="Catalogue">{null}</Page>;
}
