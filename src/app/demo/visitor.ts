import { type JsonObject } from '../../kernel/event-log/normalise/json.js';
import { type SeedCalendar } from './calendar.js';
import { milestones, type Habits } from './habits.js';
import { deedInTheProduct, deedOnTheWebsite, demoProperties } from './happenings.js';
import { landingPage, pageAfter, pathOf, type SitePage } from './pages.js';
import { randomId, type Profile } from './profile.js';
import { type Random } from './random.js';

/** One event as an SDK would send it, without its uuid. */
export interface SentEvent {
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp: string;
  readonly properties: JsonObject;
}

interface Period {
  readonly end: number;
  readonly calendar: SeedCalendar;
}

type Step =
  | { readonly event: '$pageview'; readonly page: SitePage }
  | { readonly event: string; readonly page?: undefined };

const page = (at: SitePage): Step => ({ event: '$pageview', page: at });
const host = 'app.kohort.example';
const second = 1000;
const minute = 60 * second;
/** The time that is kept free for each further event, unless more events remain than fit. */
const haste = 20 * second;

/** Simulates one person in the course of time: `at` is the time of the next event, `next` returns it. */
export class Visitor {
  at: number;
  private readonly random: Random;
  /** The share of the stay's sessions that has passed, 0 to 1. */
  private progress = 0;
  private remainingInSession = 0;
  private sessionId = '';
  private distinctId: string;
  private elsewhere = false;
  private here: SitePage = '/';
  private path = '/';
  private reached = 0;
  private untilMilestone: number;
  private plan: string | null = null;
  private script: Step[] = [];

  constructor(
    readonly index: number,
    private readonly habits: Habits,
    private readonly profile: Profile,
    private readonly period: Period,
    private remaining: number,
  ) {
    this.random = habits.random;
    this.at = Math.floor(period.calendar(habits.arrival));
    this.distinctId = randomId(this.random);
    this.untilMilestone = this.random.between(2, 7);
    this.beginSession();
  }

  get isDone(): boolean {
    return this.remaining === 0;
  }

  next(): SentEvent {
    const step = this.script.shift() ?? this.whatNow();
    const event = this.tell(step);
    this.remaining -= 1;
    this.remainingInSession -= 1;
    this.untilMilestone -= 1;
    if (this.remaining > 0) this.moveOn();
    return event;
  }

  private get isMember(): boolean {
    return this.reached > 0;
  }

  private whatNow(): Step {
    const milestone = milestones[this.reached];
    if (milestone && this.reached < this.habits.goal && this.untilMilestone <= 0) {
      if (this.isMember) return { event: milestone };
      // Signing up takes three events, and no visitor stops half-way.
      if (this.remaining >= 3) {
        this.script = [{ event: '$identify' }, { event: milestone }];
        return page('/signup');
      }
    }
    const deed = this.isMember ? deedInTheProduct(this.random) : deedOnTheWebsite(this.random, this.habits.goal > 0);
    return deed === null ? page(pageAfter(this.here, this.random)) : { event: deed };
  }

  private tell(step: Step): SentEvent {
    if (step.page) {
      this.here = step.page;
      this.path = pathOf(step.page, this.random);
    }
    const own = step.event === '$identify' ? this.identify() : demoProperties(step.event, this.random);
    if (step.event === milestones[this.reached]) this.reach(own);
    return {
      event: step.event,
      distinct_id: this.distinctId,
      timestamp: new Date(this.at).toISOString(),
      properties: { ...this.circumstances(), ...own },
    };
  }

  private identify(): JsonObject {
    const anonymous = this.distinctId;
    const { userId, name, email, country, company } = this.profile;
    this.distinctId = userId;
    return {
      $anon_distinct_id: anonymous,
      $set: { email, name, country, company, plan: this.plan ?? 'free' },
      $set_once: { first_seen_on: this.device.$device_type },
    };
  }

  private reach(own: JsonObject): void {
    this.reached += 1;
    this.untilMilestone = this.random.between(2, 6 * this.reached);
    if (this.reached === 1) this.script.push(page('/app'));
    this.plan ??= 'free';
    if (typeof own.plan !== 'string') return;
    this.plan = own.plan;
    own.$set = { plan: own.plan };
  }

  private get device() {
    return this.elsewhere ? this.profile.otherDevice : this.profile.device;
  }

  private circumstances(): JsonObject {
    return {
      $session_id: this.sessionId,
      ...this.device,
      country: this.profile.country,
      $host: host,
      $pathname: this.path,
      $current_url: `https://${host}${this.path}`,
      ...(this.plan === null ? this.profile.campaign : { plan: this.plan, $groups: { company: this.profile.company } }),
    };
  }

  private moveOn(): void {
    if (this.remainingInSession > 0 || this.script.length > 0) {
      this.at = this.inTime(this.at + Math.ceil(this.random.around(25, 1)) * second);
      return;
    }
    const { arrival, stay, eventsPerSession } = this.habits;
    const sessions = Math.max(1, this.remaining / eventsPerSession);
    // Moves to the earliest of the remaining sessions. They are denser at the beginning of the stay than later.
    this.progress += (1 - this.progress) * (1 - (1 - this.random.share()) ** (1 / sessions));
    const planned = this.period.calendar(arrival + stay * this.progress ** 2);
    this.at = this.inTime(Math.max(planned, this.at + this.random.between(35, 90) * minute));
    this.beginSession();
  }

  /** The planned time, unless the events that follow would no longer fit into the period. */
  private inTime(planned: number): number {
    const { end } = this.period;
    if (planned <= end - this.remaining * haste) return Math.floor(planned);
    return Math.floor(this.at + (end - this.at) / (this.remaining + 1));
  }

  private beginSession(): void {
    const { random } = this;
    this.remainingInSession = Math.min(40, 2 + Math.round(random.exponential(this.habits.eventsPerSession - 2)));
    this.sessionId = randomId(random);
    if (!this.isMember) {
      this.script = [page(landingPage(random))];
    } else if (this.remaining >= 4 && random.chance(0.05)) {
      // Another device recognises the person only after a login.
      this.elsewhere = !this.elsewhere;
      this.distinctId = randomId(random);
      this.script = [page('/'), page('/login'), { event: '$identify' }, page('/app')];
    } else {
      this.script = [page('/app')];
    }
  }
}
