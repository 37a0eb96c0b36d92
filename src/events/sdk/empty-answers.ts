/**
 * Valid and empty answers to the requests of SDKs at start-up: no flags, no surveys, no recording, no extras of
 * autocapture.
 */
export const emptyFlags = () => ({
  flags: {},
  featureFlags: {},
  featureFlagPayloads: {},
  errorsWhileComputingFlags: false,
  ...remoteConfig(),
});

export const remoteConfig = () => ({
  supportedCompression: ['gzip', 'gzip-js', 'base64'],
  hasFeatureFlags: false,
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

export const flagDefinitions = () => ({ flags: [], group_type_mapping: {}, cohorts: {} });

export const surveys = () => ({ surveys: [], surveys_config: null, earlyAccessFeatures: [] });

/** The script that the browser SDK loads. It stores the configuration where the SDK looks for it. */
export const configScript = (token: string): string =>
  `(function(){var c=window._POSTHOG_REMOTE_CONFIG=window._POSTHOG_REMOTE_CONFIG||{};c[${scriptText(token)}]={config:${scriptText({ token, ...remoteConfig() })},siteApps:[]};})();\n`;

/** All but two characters of JSON are valid in a script, and "</script>" must not end an inline copy. */
const scriptText = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
