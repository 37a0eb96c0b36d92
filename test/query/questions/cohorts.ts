import { type Question, column, one, question } from './question.js';
import { type Scene } from './scene.js';

/** Cohorts, actions and placeholders: ids are known only once the scene is filled. */
export const cohortQuestions = ({ beta, pro }: Pick<Scene, 'beta' | 'pro'>): readonly Question[] => [
  question(`select count() from events where person_id in cohort ${beta}`, one(11)),
  question(`select count() from events where person_id IN COHORT 'Beta testers'`, one(11)),
  question(`select count() from events where person_id not in cohort ${beta}`, one(5)),
  question(`select count() from events where person_id NOT IN COHORT 'Beta testers' and event = 'purchased'`, one(1)),
  question(
    `select name from persons where id in cohort ${pro} order by name`,
    column('ada@example.test', 'cyd@example.test'),
  ),
  question(
    `select name from persons where id in cohort 'Pro''s' order by name`,
    column('ada@example.test', 'cyd@example.test'),
  ),
  question(
    `select name from persons where inCohort(id, ${pro}) order by name`,
    column('ada@example.test', 'cyd@example.test'),
  ),
  question(`select count() from events where inCohort(person_id, ${pro}) and event = 'purchased'`, one(3)),
  question(`select count() from events where not inCohort(person_id, ${pro}) and event = 'purchased'`, one(1)),
  question(`select countIf(inCohort(person_id, ${beta})), countIf(person_id in cohort ${pro}) from events`, one(11, 9)),
  question(`select count() from events e where e.person_id in cohort ${beta} and e.person_id in cohort ${pro}`, one(7)),
  question(`select cohort_id, count() from cohort_people group by cohort_id order by cohort_id`, [
    [beta, 2],
    [pro, 2],
  ]),
  question(
    `select count() from events where person_id in (select person_id from cohort_people where cohort_id = ${pro})`,
    one(9),
  ),
  question(
    `select p.name from cohort_people c join persons p on c.person_id = p.id where c.cohort_id = ${beta} order by p.name`,
    column('ada@example.test', 'bob@example.test'),
  ),
  question(`select id, name from cohorts order by id`, [
    [beta, 'Beta testers'],
    [pro, "Pro's"],
  ]),
  question(
    `select c.name, count() from cohort_people m join cohorts c on c.id = m.cohort_id group by c.name order by c.name`,
    [
      ['Beta testers', 2],
      ["Pro's", 2],
    ],
  ),
  question(`select count() from events where matchesAction('Won a customer')`, one(7)),
  question(
    `select distinct_id, countIf(matchesAction('Won a customer')) n from events group by distinct_id order by distinct_id`,
    [
      ['ada', 3],
      ['bob', 2],
      ['cyd', 1],
      ['dan', 1],
      ['ghost', 0],
    ],
  ),
];

const values = {
  name: 'purchased',
  least: 5,
  names: ['ada', 'bob'],
  yes: true,
  nothing: null,
  half: 0.5,
  at: '2024-03-09',
};

export const placeholders: readonly Question[] = [
  question(`select count() from events where event = {name}`, one(4), { name: values.name }),
  question(`select count() from events where toFloat(properties.price) >= {least}`, one(4), { least: values.least }),
  question(`select count() from events where distinct_id in {names}`, one(11), { names: values.names }),
  question(`select {yes}, {nothing}, {half}, {names}`, one(true, null, 0.5, ['ada', 'bob']), {
    yes: true,
    nothing: null,
    half: 0.5,
    names: values.names,
  }),
  question(`select count() from events where timestamp >= {at}`, one(4), { at: values.at }),
  question(`select {a} + {b}`, one(5), { a: 2, b: 3 }),
  question(`select {text}`, one("'; drop table events; -- \\ {x}"), { text: "'; drop table events; -- \\ {x}" }),
  question(`select '{name}', "event" from events where event = {name} limit 1`, one('{name}', 'purchased'), {
    name: 'purchased',
  }),
  question(`select count() from events where event = {name} and distinct_id = {who}`, one(2), {
    name: 'purchased',
    who: 'ada',
  }),
  question(`select properties[{key}] from events where distinct_id = 'ghost'`, one('/home'), { key: '$pathname' }),
  question(`select {big}, {negative}`, one(4294967296, -7), { big: 4294967296, negative: -7 }),
  question(`select has({names}, 'bob'), length({names})`, one(1, 2), { names: values.names }),
  question(`select {emoji}`, one('🦊 Zoë\n\t\0'), { emoji: '🦊 Zoë\n\t\0' }),
];
