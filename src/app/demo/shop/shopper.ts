import { type JsonObject } from '../../../kernel/event-log/normalise/json.js';
import { type SeedCalendar } from '../calendar.js';
import { profileOf, randomId, type Profile } from '../profile.js';
import { hex, mixed, Random } from '../random.js';
import { type SentEvent } from '../visitor.js';
import {
  aCategory,
  aProduct,
  aSearch,
  shopCampaigns,
  mailboxes,
  newsletterCampaign,
  paymentMethods,
  refundReasons,
  refusals,
  type Product,
} from './assortment.js';
import { visitsOf, type Visit } from './shopper-plan.js';

export interface ShopPeriod {
  readonly days: number;
  readonly end: number;
  readonly calendar: SeedCalendar;
}

const host = 'shop.kohort.example';
const second = 1000;
const hour = 3_600_000;
const day = 24 * hour;
const freeShippingFrom = 60;
const shipping = 4.9;

const cents = (amount: number): number => Math.round(amount * 100) / 100;

/** Makes all events of one person, in the order of time. The same seed and index make the same events. */
export const eventsOfShopper = (seed: number, index: number, period: ShopPeriod): SentEvent[] => {
  const random = new Random(mixed(seed, index));
  const profile = profileOf(seed, index, random);
  const email = `${profile.name.toLowerCase()}.${index}@${random.of(mailboxes)}`;
  return new Shopper(random, { ...profile, email }, period).live();
};

interface Chosen {
  readonly product: Product;
  readonly quantity: number;
}

/** A browser, which remembers an id and a cart. */
interface Browser {
  readonly device: Profile['device'];
  distinctId: string;
  isKnown: boolean;
  cart: Chosen[];
}

const newBrowser = (device: Profile['device'], random: Random): Browser => ({
  device,
  distinctId: randomId(random),
  isKnown: false,
  cart: [],
});

class Shopper {
  private readonly events: { at: number; event: string; distinct_id: string; properties: JsonObject }[] = [];
  private readonly refunds: { at: number; order: JsonObject }[] = [];
  private now = 0;
  private browser: Browser;
  private otherBrowser: Browser;
  private hasAccount = false;
  private orders = 0;
  private revenue = 0;
  private session: JsonObject = {};
  private path = '/';

  constructor(
    private readonly random: Random,
    private readonly profile: Profile,
    private readonly period: ShopPeriod,
  ) {
    this.browser = newBrowser(profile.device, random);
    this.otherBrowser = newBrowser(profile.otherDevice, random);
  }

  live(): SentEvent[] {
    for (const visit of visitsOf(this.random, this.period.days)) {
      this.now = Math.max(this.period.calendar(visit.at), this.now + 20 * second);
      if (visit.kind === 'newsletter') this.openNewsletter(visit);
      else this.visit(visit);
    }
    this.refund();
    return this.inPeriod();
  }

  private openNewsletter({ issue }: Visit): void {
    const properties = { issue, ...newsletterCampaign(issue ?? 0) };
    this.events.push({ at: this.now, event: 'newsletter opened', distinct_id: this.profile.userId, properties });
    this.now += this.random.between(5, 90) * second;
  }

  private visit(visit: Visit): void {
    const { random } = this;
    const isFirst = this.events.length === 0;
    this.begin(visit, isFirst);
    // A link of the newsletter says who follows it; on another device a customer may log in.
    if (this.hasAccount && !this.browser.isKnown && (visit.issue !== null || random.chance(0.5))) this.logIn();
    let category = aCategory(random);
    if (visit.productViews > 0 && random.chance(0.25)) {
      this.page('/search');
      this.tell('searched', aSearch(random));
    }
    for (let views = visit.productViews; views > 0; views -= 1) {
      if (random.chance(0.4)) {
        if (random.chance(0.5)) category = aCategory(random);
        this.page(`/c/${category}`);
      }
      this.look(aProduct(category, random), visit.adds);
    }
    if (visit.subscribes) this.subscribe();
    if (this.browser.cart.length === 0) return;
    if (random.chance(visit.checksOut)) this.checkOut();
    else if (random.chance(0.3)) this.page('/cart');
  }

  private begin({ issue }: Visit, isFirst: boolean): void {
    const { random } = this;
    if (!isFirst && random.chance(0.12)) [this.browser, this.otherBrowser] = [this.otherBrowser, this.browser];
    const utm =
      issue !== null ? newsletterCampaign(issue) : isFirst || random.chance(0.2) ? random.of(shopCampaigns) : {};
    this.session = { $session_id: randomId(random), ...this.browser.device, ...utm };
    const path = random.chance(0.6) ? '/' : `/c/${aCategory(random)}`;
    const source = typeof utm.utm_source === 'string' ? utm.utm_source : 'direct';
    this.page(
      path,
      isFirst ? { $set_once: { first_source: source, first_seen_on: this.browser.device.$device_type } } : {},
    );
  }

  private look(product: Product, adds: number): void {
    this.page(`/p/${product.product_id}`);
    this.tell('product viewed', { ...product, currency: 'EUR' });
    if (!this.random.chance(adds)) return;
    const quantity = product.price < 40 && this.random.chance(0.3) ? 2 : 1;
    this.tell('product added', { ...product, currency: 'EUR', quantity });
    this.browser.cart.push({ product, quantity });
    if (this.random.chance(0.07)) {
      this.tell('product removed', { ...product, currency: 'EUR', quantity });
      this.browser.cart.pop();
    }
  }

  private checkOut(): void {
    const { random } = this;
    const goods = cents(this.browser.cart.reduce((sum, { product, quantity }) => sum + product.price * quantity, 0));
    const items = this.browser.cart.reduce((sum, { quantity }) => sum + quantity, 0);
    this.page('/cart');
    this.page('/checkout');
    this.tell('checkout started', { value: goods, items, currency: 'EUR' });
    if (!this.browser.isKnown) {
      if (random.chance(0.15)) return;
      this.logIn();
    }
    if (random.chance(0.1)) return;
    const method = random.of(paymentMethods);
    if (random.chance(0.06)) {
      this.tell('payment failed', { value: goods, method, reason: random.of(refusals) });
      if (random.chance(0.35)) return;
    }
    this.pay(goods, items, method);
  }

  private pay(goods: number, items: number, method: string): void {
    const { random } = this;
    const coupon: JsonObject = random.chance(0.12) ? { coupon: 'AUTUMN10', discount: cents(goods / 10) } : {};
    const paidFor = goods < freeShippingFrom ? shipping : 0;
    const value = cents(goods - (typeof coupon.discount === 'number' ? coupon.discount : 0) + paidFor);
    const order = {
      order_id: `K-${hex(random.bits())}`,
      value,
      items,
      method,
      currency: 'EUR',
      shipping: paidFor,
      ...coupon,
    };
    const isFirst = this.orders === 0;
    this.orders += 1;
    this.revenue = cents(this.revenue + value);
    this.page('/thanks');
    this.tell('order paid', {
      ...order,
      categories: [...new Set(this.browser.cart.map(({ product }) => product.category))],
      first_order: isFirst,
      $set: { orders: this.orders, revenue: this.revenue },
    });
    this.browser.cart = [];
    if (random.chance(0.07)) this.refunds.push({ at: this.now + (2 + random.exponential(5)) * day, order });
  }

  private subscribe(): void {
    if (!this.browser.isKnown) this.logIn();
    this.tell('newsletter subscribed', { place: 'footer', $set: { newsletter: true } });
  }

  /** From now on the shop knows the person by the account; `$identify` joins the anonymous events before it. */
  private logIn(): void {
    const anonymous = this.browser.distinctId;
    this.browser.distinctId = this.profile.userId;
    this.browser.isKnown = true;
    this.hasAccount = true;
    const { email, name, country } = this.profile;
    this.tell('$identify', { $anon_distinct_id: anonymous, $set: { email, name, country } });
  }

  /** Adds the refunds, which the shop sends and not the browser. */
  private refund(): void {
    for (const { at, order } of this.refunds) {
      if (at > this.period.end) continue;
      const { order_id, value } = order;
      const reason = this.random.of(refundReasons);
      const properties = { order_id: order_id ?? null, value: value ?? null, currency: 'EUR', reason };
      this.events.push({ at, event: 'order refunded', distinct_id: this.profile.userId, properties });
    }
    this.events.sort((a, b) => a.at - b.at);
  }

  private page(path: string, more: JsonObject = {}): void {
    this.path = path;
    this.tell('$pageview', more);
  }

  private tell(event: string, own: JsonObject): void {
    const page = { $host: host, $pathname: this.path, $current_url: `https://${host}${this.path}` };
    const properties = { ...this.session, country: this.profile.country, ...page, ...own };
    this.events.push({ at: this.now, event, distinct_id: this.browser.distinctId, properties });
    this.now +=
      Math.ceil(event === '$pageview' ? 1 + this.random.exponential(4) : this.random.around(22, 0.9)) * second;
  }

  /** A visit that begins just before the end of the period must end before it too. */
  private inPeriod(): SentEvent[] {
    const { events } = this;
    return events.map(({ at, ...event }, index) => {
      const latest = this.period.end - (events.length - index) * second;
      return { ...event, timestamp: new Date(Math.min(at, latest)).toISOString() };
    });
  }
}
