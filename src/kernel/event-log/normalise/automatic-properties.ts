import { type JsonObject } from './json.js';

/**
 * Properties that SDKs attach to every event and users look for on the person: the device, and the origin of the visit.
 */
const lastingKeys = [
  ['$app_build', '$app_name', '$app_namespace', '$app_version'],
  ['$browser', '$browser_version', '$device_type', '$os', '$os_name', '$os_version', '$raw_user_agent'],
  ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
  ['gclid', 'gad_source', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'twclid', 'li_fat_id'],
  ['mc_cid', 'igshid', 'ttclid', 'rdt_cid', 'epik', 'qclid', 'sccid', 'irclid', '_kx'],
].flat();

/** Properties of the current page and window, which differ with nearly every event. */
const momentaryKeys = [
  ['$current_url', '$host', '$pathname', '$referrer', '$referring_domain'],
  ['$screen_height', '$screen_width', '$viewport_height', '$viewport_width'],
].flat();

const initialName = (key: string): string => `$initial_${key.replace(/^\$/, '')}`;

const automaticKeys = new Map<string, { readonly initial: string; readonly isMomentary: boolean }>();
for (const key of lastingKeys) automaticKeys.set(key, { initial: initialName(key), isMomentary: false });
for (const key of momentaryKeys) automaticKeys.set(key, { initial: initialName(key), isMomentary: true });

export interface AutomaticProperties {
  readonly set: JsonObject;
  readonly setOnce: JsonObject;
  readonly momentary?: JsonObject;
}

/**
 * SDKs send null for every campaign parameter that the URL lacks. A null is no information, and must not become the
 * initial value.
 */
export const automaticProperties = (properties: JsonObject): AutomaticProperties => {
  const set: JsonObject = {};
  const setOnce: JsonObject = {};
  let momentary: JsonObject | undefined;
  for (const key in properties) {
    const automatic = automaticKeys.get(key);
    const value = properties[key];
    if (automatic === undefined || value === undefined || value === null) continue;
    if (automatic.isMomentary) (momentary ??= {})[key] = value;
    else set[key] = value;
    setOnce[automatic.initial] = value;
  }
  return momentary ? { set, setOnce, momentary } : { set, setOnce };
};
