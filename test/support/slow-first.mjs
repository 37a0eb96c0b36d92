import Sequencer from '@jest/test-sequencer';

const isSlow = ({ context }) => context.config.displayName?.name === 'slow';

/** A slow spec that begins last leaves the other processors idle at the end. */
export default class extends Sequencer {
  sort(tests) {
    const sorted = [...super.sort(tests)];
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
  }
}
