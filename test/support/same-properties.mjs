import fc from 'fast-check';

/** Properties are tried with the same values in every run; `npm run test:long` draws others. */
if (!process.env.EVERY_CASE) fc.configureGlobal({ seed: 20_260_301 });
