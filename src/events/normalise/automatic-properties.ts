import { type JsonObject } from './json.js';

/** What SDKs attach to every event and users look for on the person: the device, the page, where the visit came from. */
const AUTOMATIC = [
  ['$app_build', '$app_name', '$app_namespace', '$app_version'],
  ['$browser', '$browser_version', '$device_type', '$os', '$os_name', '$os_version', '$raw_user_agent'],
  ['$screen_height', '$screen_width', '$viewport_height', '$viewport_width'],
  ['$current_url', '$host', '$pathname', '$referrer', '$referring_domain'],
  ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
  ['gclid', 'gad_source', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'twclid', 'li_fat_id'],
  ['mc_cid', 'igshid', 'ttclid', 'rdt_cid', 'epik', 'qclid', 'sccid', 'irclid', '_kx'],
].flat();

const INITIAL_NAMES = AUTOMATIC.map((key) => [key, `$initial_${key.replace(/^\$/, '')}`] as const);

/** SDKs send null for every campaign parameter the URL lacks: that is no news, and must not become the initial value. */
export const automaticProperties = (properties: JsonObject): { set: JsonObject; setOnce: JsonObject } => {
  const set: JsonObject = {};
  const setOnce: JsonObject = {};
  for (const [key, initial] of INITIAL_NAMES) {
    const value = properties[key];
    if (value === undefined || value === null) continue;
    set[key] = value;
    setOnce[initial] = value;
  }
  return { set, setOnce };
};
