import { TestEnvironment } from 'jest-environment-node';

/** Skips the tests of a file after the first that fails. The hooks run, so that a service is stopped. */
export default class extends TestEnvironment {
  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) this.hasFailed = true;
    if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
  }
}
