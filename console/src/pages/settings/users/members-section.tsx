import { Invitations } from './invitations';
import { Members } from './members';

export function MembersSection() {
  return (
    <>
      <Members />
      <Invitations />
    </>
  );
}
