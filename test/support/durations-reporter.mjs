const listed = Number(process.env.DURATIONS ?? 25);

/** Prints how long the slowest spec files took (DURATIONS=1000 prints all), and what was executed. */
export default class DurationsReporter {
  onRunComplete(_contexts, { testResults, startTime }) {
    const seconds = (ms) => (ms / 1000).toFixed(1).padStart(7);
    const files = testResults
      .map(({ testFilePath, perfStats, testResults: tests }) => ({
        file: testFilePath.slice(process.cwd().length + 1),
        ms: perfStats.end - perfStats.start,
        testsMs: tests.reduce((sum, { duration }) => sum + (duration ?? 0), 0),
      }))
      .sort((a, b) => b.ms - a.ms);
    const total = files.reduce((sum, { ms }) => sum + ms, 0);
    const lines = files.slice(0, listed).map(({ file, ms, testsMs }) => `${seconds(ms)} ${seconds(testsMs)}  ${file}`);
    const tests = testResults.flatMap(({ testResults: each }) => each);
    const assertions = tests.reduce((sum, { numPassingAsserts }) => sum + numPassingAsserts, 0);
    process.stderr.write(
      [
        '',
        `Slowest spec files: seconds in all, seconds in tests`,
        ...lines,
        `${seconds(total)}          all ${files.length} files, in ${((Date.now() - startTime) / 1000).toFixed(0)} s`,
        `${assertions} assertions in ${tests.length} tests`,
        '',
      ].join('\n'),
    );
  }
}
