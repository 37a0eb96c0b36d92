-- GET persons?search=lovelace

SELECT toString(person) AS id, toString(toUnixTimestamp64Milli(created_at) * 1000) AS micros
    FROM (SELECT p.id AS person, p.created_at AS created_at FROM persons AS p FINAL
          WHERE p.project_id = {p1:UInt64} AND (p.search LIKE {p2:String})
          ORDER BY created_at DESC, person DESC LIMIT {p3:UInt64} OFFSET {p4:UInt64})
    ORDER BY created_at DESC, person DESC;
-- p1 = 1
-- p2 = "%lovelace%"
-- p3 = 101
-- p4 = 0
