-- GET persons?properties=%5B%7B%22key%22%3A%22plan%22%2C%22value%22%3A%22pro%22%2C%22type%22%3A%22person%22%7D%5D

SELECT count() AS count FROM persons AS p FINAL WHERE p.project_id = {p1:UInt64} AND (ifNull(p.properties.`plan`.:String = {p2:String}, false));
-- p1 = 1
-- p2 = "pro"

SELECT toString(person) AS id, toString(toUnixTimestamp64Milli(created_at) * 1000) AS micros
    FROM (SELECT p.id AS person, p.created_at AS created_at FROM persons AS p FINAL
          WHERE p.project_id = {p1:UInt64} AND (ifNull(p.properties.`plan`.:String = {p2:String}, false))
          ORDER BY created_at DESC, person DESC LIMIT {p3:UInt64} OFFSET {p4:UInt64})
    ORDER BY created_at DESC, person DESC;
-- p1 = 1
-- p2 = "pro"
-- p3 = 101
-- p4 = 0
