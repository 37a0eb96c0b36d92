import { Page } from '../../ui/page';

export function SignInPage() {
  return <Page title="Sign in">{null}</Page>;
}
