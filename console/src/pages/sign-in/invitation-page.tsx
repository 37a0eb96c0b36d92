import { Page } from '../../ui/page';

export function InvitationPage() {
  return <Page title="Invitation">{null}</Page>;
}
