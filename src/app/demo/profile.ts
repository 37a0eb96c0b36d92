import { type JsonObject } from '../../kernel/event-log/normalise/json.js';
import { campaigns, companies, countries, devices, firstNames, mediums, sources, type Device } from './catalogue.js';
import { hex, type Random } from './random.js';

/** The traits of one person that appear in events. */
export interface Profile {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly country: string;
  readonly company: string;
  readonly device: Device;
  readonly otherDevice: Device;
  readonly campaign: JsonObject;
}

const testAccounts = 0.01;

export const profileOf = (seed: number, index: number, random: Random): Profile => {
  const name = random.of(firstNames);
  const company = random.of(companies);
  const domain = random.chance(testAccounts) ? 'example.test' : `${company}.example`;
  return {
    userId: `user-${hex(seed)}-${index}`,
    name,
    email: `${name.toLowerCase()}.${index}@${domain}`,
    country: random.of(countries),
    company,
    device: random.of(devices),
    otherDevice: random.of(devices),
    campaign: campaignOf(random),
  };
};

const campaignOf = (random: Random): JsonObject => {
  const source = random.of(sources);
  if (source === null) return {};
  return { utm_source: source, utm_medium: random.of(mediums), utm_campaign: random.of(campaigns) };
};

/** Has the form of the device and session ids of SDKs. */
export const randomId = (random: Random): string => {
  const [a, b, c, d] = [hex(random.bits()), hex(random.bits()), hex(random.bits()), hex(random.bits())];
  return `${a}-${b.slice(0, 4)}-7${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`;
};
