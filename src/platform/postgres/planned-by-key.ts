/**
 * A planner hint for lists of ids. Ids are positive, so the condition is always true, but it makes PostgreSQL expect one row
 * and look it up by its key. Without the hint, a statement that was prepared while the project was small keeps a plan that
 * reads the whole project, until the next ANALYZE.
 */
export const plannedByKey = (id: string): string => `sign(${id}) = 1`;

/**
 * The project, which is $1, as a value that the planner does not know. If the planner knew the project, and its statistics were
 * older than the first persons of the project, it would expect no rows and take any index that begins with the project, which
 * reads the whole project for each id. The first persons of a large import took milliseconds each.
 */
export const projectOfStatement = '(SELECT $1::integer)';
