import { Page } from '../../ui/page';

export function SqlPage() {
  return <Page title="SQL">{null}</Page>;
}
