import { PathCleaning } from './path-cleaning';
import { TestAccounts } from './test-accounts';

export function FiltersSection() {
  return (
    <>
      <TestAccounts />
      <PathCleaning />
    </>
  );
}
