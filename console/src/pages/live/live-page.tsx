import { Page } from '../../ui/page';

export function LivePage() {
  return <Page title="Live">{null}</Page>;
}
