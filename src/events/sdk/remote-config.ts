/**
 * The settings that SDKs ask for at start-up: without surveys, recordings or extras of autocapture. SDKs always ask for flags, since
 * one may have been made a moment ago.
 */
export const remoteConfig = () => ({
  supportedCompression: ['gzip', 'gzip-js', 'base64'],
  hasFeatureFlags: true,
  captureDeadClicks: false,
  capturePerformance: false,
  autocapture_opt_out: false,
  autocaptureExceptions: false,
  analytics: { endpoint: '/i/v0/e/' },
  elementsChainAsString: true,
  sessionRecording: false,
  heatmaps: false,
  surveys: false,
  conversations: false,
  productTours: false,
  defaultIdentifiedOnly: true,
  siteApps: [],
  isAuthenticated: false,
  toolbarParams: {},
  config: { enable_collect_everything: true },
});
