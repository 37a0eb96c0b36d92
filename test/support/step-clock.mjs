/** `node --import`: each SIGWINCH steps the wall clock of the process: an hour ahead, an hour behind, back. */
const steps = [3_600_000, -3_600_000, 0];
const RealDate = Date;
let taken = 0;
let shift = 0;

process.on('SIGWINCH', () => {
  shift = steps[taken % steps.length];
  taken += 1;
});

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shift);
    else super(...given);
  }

  static now() {
    return RealDate.now() + shift;
  }
};
