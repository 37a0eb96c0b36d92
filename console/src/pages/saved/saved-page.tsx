import { Page } from '../../ui/page';

export function SavedPage() {
  return <Page title="Saved">{null}</Page>;
}
