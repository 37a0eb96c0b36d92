-- GET persons/values?key=plan

SELECT any(substringUTF8(value, 1, {p1:UInt64})) AS excerpt, type, count() AS count,
    count() OVER () AS total
  FROM (
    SELECT ifNull(p.properties.`plan`::Nullable(String), '') AS value,
      multiIf(dynamicType(p.properties.`plan`) = 'String', 'text', dynamicType(p.properties.`plan`) = 'Bool', 'boolean', 'number') AS type
    FROM persons AS p FINAL
    WHERE p.project_id = {p2:UInt64} AND value != '')
  GROUP BY sipHash128(value), type
  ORDER BY count DESC, excerpt, type LIMIT {p3:UInt64} OFFSET {p4:UInt64};
-- p1 = 1001
-- p2 = 1
-- p3 = 20
-- p4 = 0
