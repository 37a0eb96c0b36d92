// Loaded into a service under test with NODE_OPTIONS=--import: makes it fail in ways that no code catches.
process.on('SIGUSR2', () => {
  setImmediate(() => {
    throw new Error('thrown by the test');
  });
});
process.on('SIGPIPE', () => {
  void Promise.reject(new Error('rejected by the test'));
});
